#include "diff/patch.h"

#include <algorithm>
#include <filesystem>
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

} // namespace

/// apply_diff ROOT FILE.diff PROGRAM: writes the program that a mistake's file describes. Names in the diff
/// are below ROOT.
int main(int argc, char** argv) {
    if (argc != 4) {
        std::cerr << "usage: apply_diff ROOT FILE.diff PROGRAM\n";
        return 2;
    }
    try {
        const std::string text = read(argv[2]);
        const std::size_t begin = diff::find_diff(text);
        if (begin == std::string::npos) throw std::runtime_error(std::string(argv[2]) + " has no diff");
        const auto line = static_cast<std::size_t>(std::count(text.data(), text.data() + begin, '\n')) + 1;
        const diff::Patch patch = diff::parse(std::string_view(text).substr(begin), argv[2], line);
        std::ofstream program(argv[3], std::ios::binary | std::ios::trunc);
        program << diff::apply(patch, read(fs::path(argv[1]) / patch.base));
        if (!program.flush()) throw std::runtime_error(std::string("cannot write ") + argv[3]);
        return 0;
    } catch (const std::exception& error) {
        std::cerr << error.what() << '\n';
        return 1;
    }
}
