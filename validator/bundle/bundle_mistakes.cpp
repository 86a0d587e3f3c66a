#include "bundle/mistakes.h"

#include <fstream>
#include <iostream>
#include <iterator>
#include <stdexcept>

namespace {

namespace fs = std::filesystem;

std::string read(const fs::path& file) {
    std::ifstream stream(file, std::ios::binary);
    if (!stream) throw std::runtime_error("cannot read " + file.string());
    return {std::istreambuf_iterator<char>(stream), {}};
}

void write(const fs::path& file, const std::string& text) {
    std::ofstream stream(file, std::ios::binary | std::ios::trunc);
    stream << text;
    if (!stream.flush()) throw std::runtime_error("cannot write " + file.string());
}

} // namespace

/// bundle_mistakes PART.cpp CONTRACT.h MISTAKE...: writes a part of the program that holds a problem's
/// mistakes. Its tables are an array with the part's name; a mistake is named by its file, up to the first
/// dot.
int main(int argc, char** argv) {
    if (argc < 4) {
        std::cerr << "usage: bundle_mistakes PART.cpp CONTRACT.h MISTAKE...\n";
        return 2;
    }
    try {
        std::vector<bundle::Mistake> mistakes;
        for (int i = 3; i < argc; ++i) {
            const std::string name = fs::path(argv[i]).filename().string();
            mistakes.push_back({name.substr(0, name.find('.')), argv[i]});
        }
        const fs::path part = argv[1];
        write(part, bundle::mistakes(part.stem().string(), mistakes, read(argv[2])));
        return 0;
    } catch (const std::exception& error) {
        std::cerr << error.what() << '\n';
        return 1;
    }
}
