#include "build/memo.h"

#include "build/digest.h"
#include "build/file.h"

namespace build {
namespace {

/// The first line; the text is what follows.
std::string head_of(std::string_view text) {
    return "engine.memo/1 " + Digest().add(text).hex() + "\n";
}

} // namespace

std::optional<std::string> read_memo(const std::filesystem::path& file) {
    const auto all = read_file(file);
    if (!all) return std::nullopt;
    const std::size_t end = all->find('\n');
    if (end == std::string::npos) return std::nullopt;
    std::string text = all->substr(end + 1);
    return all->compare(0, end + 1, head_of(text)) == 0 ? std::optional(std::move(text)) : std::nullopt;
}

void write_memo(const std::filesystem::path& file, std::string_view text) {
    write_atomically(file, head_of(text).append(text), 0600);
}

} // namespace build
