#include "app/own_headers.h"

#include "app/submission.h"
#include "model/errors.h"
#include "system/beneath.h"

#include <algorithm>
#include <fcntl.h>
#include <fmt/format.h>
#include <optional>
#include <set>
#include <string_view>

namespace app {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t max_headers = 500;
constexpr std::size_t max_total_bytes = std::size_t{16} << 20;

struct Include {
    fs::path path;
    bool quoted = false;
};

std::string_view without_blanks(std::string_view text) {
    text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
    return text;
}

/// What one line includes. Conditions are not looked at: a header too many costs nothing.
std::optional<Include> include_of(std::string_view line) {
    constexpr std::string_view word = "include";
    line = without_blanks(line);
    if (!line.starts_with('#')) return std::nullopt;
    line = without_blanks(line.substr(1));
    if (!line.starts_with(word)) return std::nullopt;
    line = without_blanks(line.substr(word.size()));
    if (line.empty() || (line[0] != '"' && line[0] != '<')) return std::nullopt;
    const std::size_t end = line.find(line[0] == '"' ? '"' : '>', 1);
    if (end == std::string_view::npos || end == 1) return std::nullopt;
    return Include{fs::path(line.substr(1, end - 1)), line[0] == '"'};
}

std::vector<Include> includes_of(std::string_view text) {
    std::vector<Include> found;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        if (auto include = include_of(text.substr(0, end))) found.push_back(std::move(*include));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return found;
}

/// Not outside of the folder, by its name.
bool is_below(const fs::path& name) {
    return !name.empty() && name.is_relative() && *name.begin() != "..";
}

bool exists_below(const fs::path& folder, const fs::path& name) {
    const sys::Fd opened = sys::open_folder(folder.empty() ? "." : folder);
    if (!opened) return false;
    const sys::Fd file = sys::open_beneath(opened, name, O_RDONLY);
    return file || (errno != ENOENT && errno != ENOTDIR);
}

class Reader {
  public:
    Reader(const std::vector<fs::path>& folders, const std::vector<fs::path>& provided)
        : folders_(folders), provided_(provided) {}

    /// What a source includes, and so on. `root` is the folder below which it is called `name`.
    void follow(const fs::path& root, const fs::path& name, const std::string& text) {
        for (const Include& include : includes_of(text)) {
            const fs::path by_name = include.path.lexically_normal();
            if (is_provided(by_name)) continue;
            const fs::path next_to = (name.parent_path() / include.path).lexically_normal();
            if (include.quoted && add(root, next_to)) continue;
            if (add(root, by_name)) continue;
            std::ranges::any_of(folders_, [&](const fs::path& folder) { return add(folder, by_name); });
        }
    }

    std::vector<PlacedSource> take() { return std::move(headers_); }

  private:
    bool is_provided(const fs::path& name) const {
        if (name.string().starts_with("helper_")) return false;
        std::error_code error;
        return is_below(name) && std::ranges::any_of(provided_, [&](const fs::path& folder) {
                   return fs::exists(folder / name, error);
               });
    }

    /// False if there is no such header below `root`.
    bool add(const fs::path& root, const fs::path& name) {
        if (!is_below(name)) return false;
        if (known_.contains(name.string())) return true;
        if (!exists_below(root, name)) return false;
        const fs::path file = root / name;
        auto text = read_source(SourcePlace{root.empty() ? "." : root, name}, file.string(), "");
        if (const auto* unreadable = std::get_if<Unreadable>(&text))
            throw model::UsageError("cannot try this: " + unreadable->why);
        known_.insert(name.string());
        headers_.push_back({{name.string(), std::get<std::string>(std::move(text))}, file});
        total_ += headers_.back().source.text.size();
        if (headers_.size() > max_headers || total_ > max_total_bytes)
            throw model::UsageError(
                fmt::format("the program includes more than {} headers or {} MiB of them (the last is {}); "
                            "name a smaller folder after --include",
                            max_headers, max_total_bytes >> 20, file.string()));
        const std::string own = headers_.back().source.text;
        follow(root, name, own);
        return true;
    }

    const std::vector<fs::path>& folders_;
    const std::vector<fs::path>& provided_;
    std::vector<PlacedSource> headers_;
    std::set<std::string> known_;
    std::size_t total_ = 0;
};

} // namespace

std::vector<PlacedSource> read_headers(const std::vector<PlacedSource>& sources,
                                       const std::vector<fs::path>& folders,
                                       const std::vector<fs::path>& provided) {
    Reader reader(folders, provided);
    for (const PlacedSource& each : sources)
        reader.follow(each.file.parent_path(), each.source.name, each.source.text);
    return reader.take();
}

} // namespace app
