#include "emulator/rewrite.h"

#include <fstream>
#include <iostream>
#include <iterator>

/// emulator_rewrite IN.cu OUT.cpp: the rewriter as a tool, for builds and for looking at what it makes.
int main(int argc, char** argv) {
    if (argc != 3) {
        std::cerr << "usage: emulator_rewrite IN.cu OUT.cpp\n";
        return 2;
    }
    std::ifstream in(argv[1], std::ios::binary);
    if (!in) {
        std::cerr << "cannot read " << argv[1] << '\n';
        return 2;
    }
    const std::string source{std::istreambuf_iterator<char>(in), {}};
    const emulator::Rewritten rewritten = emulator::rewrite(source, argv[1]);
    for (const auto& error : rewritten.errors)
        std::cerr << argv[1] << ':' << error.line << ": error: " << error.message << '\n';
    if (!rewritten.errors.empty()) return 1;
    std::ofstream out(argv[2], std::ios::binary | std::ios::trunc);
    out << rewritten.text;
    return out.flush() ? 0 : 2;
}
