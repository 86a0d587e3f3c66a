#include "app/asking/key.h"

#include <array>
#include <utility>

namespace asking {
namespace {

using Kind = Key::Kind;

constexpr std::string_view paste_begins = "\x1b[200~";
constexpr std::string_view paste_ends = "\x1b[201~";

struct Row {
    std::string_view bytes;
    Kind kind;
};

constexpr std::array<Row, 18> rows{{
    {"\r", Kind::enter},
    {"\n", Kind::line},
    {"\x7f", Kind::backspace},
    {"\b", Kind::backspace},
    {"\x15", Kind::clear},
    {"\t", Kind::next},
    {"\x04", Kind::leave},
    {"\x03", Kind::interrupt},
    {"\x1b[A", Kind::up},
    {"\x1b[B", Kind::down},
    {"\x1b[C", Kind::next},
    {"\x1b[D", Kind::back},
    {"\x1bOA", Kind::up},
    {"\x1bOB", Kind::down},
    {"\x1bOC", Kind::next},
    {"\x1bOD", Kind::back},
    {"\x1b[Z", Kind::back},
    {"\x1b[3~", Kind::clear},
}};

/// The length of the character at the start of `bytes`; 0 where more of it is to come.
std::size_t character(std::string_view bytes) {
    const auto first = static_cast<unsigned char>(bytes.front());
    const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1;
    return bytes.size() < length ? 0 : length;
}

/// The length of an escape sequence at the start of `bytes`; 0 where more of it is to come.
std::size_t sequence(std::string_view bytes) {
    if (bytes.size() < 2) return 0;
    if (bytes[1] != '[' && bytes[1] != 'O') return 2;
    for (std::size_t i = 2; i < bytes.size(); ++i)
        if (bytes[i] >= 0x40) return i + 1;
    return 0;
}

} // namespace

std::vector<Key> KeyReader::feed(std::string_view bytes) {
    rest_ += bytes;
    std::vector<Key> keys;
    std::string_view left = rest_;
    while (!left.empty()) {
        if (left.starts_with(paste_begins)) {
            const std::size_t end = left.find(paste_ends);
            if (end == std::string_view::npos) break;
            keys.push_back(
                {Kind::text, std::string(left.substr(paste_begins.size(), end - paste_begins.size()))});
            left.remove_prefix(end + paste_ends.size());
            continue;
        }
        const bool escape = left.front() == '\x1b';
        const std::size_t length = escape ? sequence(left) : character(left);
        if (length == 0) break;
        const std::string_view unit = left.substr(0, length);
        left.remove_prefix(length);
        const Row* known = nullptr;
        for (const Row& row : rows)
            if (row.bytes == unit) known = &row;
        if (known != nullptr)
            keys.push_back({known->kind});
        else if (!escape && static_cast<unsigned char>(unit.front()) >= 0x20)
            keys.push_back({Kind::text, std::string(unit)});
    }
    rest_ = std::string(left);
    return keys;
}

} // namespace asking
