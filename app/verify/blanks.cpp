#include "app/verify/blanks.h"

#include "catalogue/source.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string_view>

namespace verify {
namespace {

namespace fs = std::filesystem;

/// The words behind a mark: up to what closes the text or comment they stand in.
std::string words_behind(std::string_view text) {
    for (const std::string_view end : {"\"", "-->", "*/", "FILL IN: ", "\r"})
        text = text.substr(0, text.find(end));
    const std::size_t last = text.find_last_not_of(" \t");
    return std::string(last == std::string_view::npos ? "" : text.substr(0, last + 1));
}

void search(const fs::path& file, const std::string& shown, std::vector<Blank>& blanks) {
    std::ifstream stream(file);
    std::string line;
    for (int number = 1; std::getline(stream, line); ++number)
        for (std::size_t at = line.find(blank_mark); at != std::string::npos;
             at = line.find(blank_mark, at)) {
            at += std::string_view(blank_mark).size();
            blanks.push_back({shown, number, words_behind(std::string_view(line).substr(at))});
        }
}

} // namespace

std::vector<Blank> find_blanks(const catalogue::Content& content, const std::string& id) {
    std::vector<Blank> blanks;
    for (const fs::path& folder : {content.problems, content.exercises, content.reference}) {
        std::vector<fs::path> files;
        std::error_code error;
        for (fs::recursive_directory_iterator it(folder / id, error), end; !error && it != end;
             it.increment(error))
            if (it->is_regular_file(error)) files.push_back(it->path());
        std::ranges::sort(files);
        for (const fs::path& file : files)
            search(file, catalogue::shown(file, catalogue::shown_root(content)), blanks);
    }
    return blanks;
}

std::string soundness(bool sound, std::size_t blanks) {
    if (blanks > 0) return "not sound: " + std::to_string(blanks) + (blanks == 1 ? " blank" : " blanks");
    return sound ? "sound" : "not sound";
}

} // namespace verify
