#include "catalogue/source.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>

#include "model/errors.h"
#include "text/utf8.h"

namespace catalogue {
namespace {

constexpr std::uintmax_t largest_file = 1 << 20; // bytes

} // namespace

void fail(const Source& source, std::size_t line, const std::string& what) {
    throw model::ContentError(source.name, "line " + std::to_string(line) + ":", what);
}

std::string shown(const std::filesystem::path& file, const std::filesystem::path& root) {
    const std::filesystem::path relative = file.lexically_relative(root);
    const bool inside = !relative.empty() && *relative.begin() != "..";
    return (inside ? relative : file).string();
}

void require_file(const std::filesystem::path& file, const std::filesystem::path& root) {
    const auto fail = [&](const std::string& what) {
        throw model::ContentError(shown(file, root), "", what);
    };
    std::error_code error;
    const std::filesystem::file_status status = std::filesystem::status(file, error);
    if (status.type() == std::filesystem::file_type::not_found) fail("there is no such file");
    if (status.type() == std::filesystem::file_type::directory) fail("it is a folder where a file should be");
    if (error) fail("it cannot be reached: " + error.message());
    if (status.type() != std::filesystem::file_type::regular) fail("it is not a regular file");
}

Source read_source(const std::filesystem::path& file, const std::filesystem::path& root) {
    require_file(file, root);
    Source source{shown(file, root), {}};
    const auto fail = [&](const std::string& what) { throw model::ContentError(source.name, "", what); };
    std::ifstream stream(file, std::ios::binary);
    if (!stream) fail("it cannot be opened: " + std::string(std::strerror(errno)));
    std::error_code error;
    const std::uintmax_t size = std::filesystem::file_size(file, error);
    if (error) fail("it cannot be read: " + error.message());
    if (size > largest_file) fail("it is larger than 1 MiB");
    source.text.resize(size);
    if (!stream.read(source.text.data(), static_cast<std::streamsize>(size)))
        fail("it cannot be read to its end");
    require_text(source);
    return source;
}

void require_text(const Source& source) {
    const auto fail = [&](const std::string& what) { throw model::ContentError(source.name, "", what); };
    if (source.text.size() > largest_file) fail("it is larger than 1 MiB");
    if (const auto at = text::first_ill_formed(source.text))
        fail("is not UTF-8 at byte offset " + std::to_string(*at));
    if (has_control_character(source.text)) fail("it has a control character");
}

bool has_control_character(const std::string& text) {
    return std::any_of(text.begin(), text.end(), [](unsigned char c) {
        return (c < 0x20 && c != '\n' && c != '\r' && c != '\t') || c == 0x7f;
    });
}

bool is_slug(const std::string& text) {
    bool in_word = false; // a hyphen may only follow, and must be followed by, a word
    for (const char c : text) {
        const bool word = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
        if (!word && !(c == '-' && in_word)) return false;
        in_word = word;
    }
    return in_word;
}

} // namespace catalogue
