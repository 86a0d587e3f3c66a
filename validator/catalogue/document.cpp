#include "catalogue/document.h"

#include <cstddef>
#include <set>
#include <vector>

#include "model/errors.h"
#include "text/utf8.h"

namespace catalogue {
namespace {

std::string bounded(std::string text) {
    constexpr std::size_t longest = 200; // bytes
    if (text.size() > longest) text = std::string(text::prefix(text, longest)) + "…";
    return text;
}

/// A key may be as long as its file.
std::string words_for(const Pointer& where) {
    return bounded(where.to_string());
}

/// Far more than any of our formats has. What walks through a document calls itself once a level.
constexpr std::size_t max_depth = 64;

/// Follows the parser through the document, so that what its tree cannot show (a key given twice) has a
/// place.
class Watcher {
  public:
    explicit Watcher(const std::string& file) : file_(file) {}

    void operator()(Json::parse_event_t event, const Json& parsed) {
        using Event = Json::parse_event_t;
        if (event == Event::object_start || event == Event::array_start) {
            if (open_.size() == max_depth)
                fail("is nested too deep: at most " + std::to_string(max_depth) + " levels");
            open_.push_back({event == Event::array_start, {}, {}, 0});
        } else if (event == Event::key) {
            open_.back().key = parsed.get<std::string>();
            if (!open_.back().keys.insert(open_.back().key).second) fail("is given twice");
        } else {
            if (event == Event::value && parsed.is_string() &&
                has_control_character(parsed.get_ref<const std::string&>()))
                fail("has a control character");
            if (event != Event::value) open_.pop_back();
            if (!open_.empty() && open_.back().is_array) ++open_.back().index;
        }
    }

  private:
    struct Level {
        bool is_array;
        std::set<std::string> keys;
        std::string key;
        std::size_t index;
    };

    [[noreturn]] void fail(const std::string& what) const {
        Pointer where;
        for (const Level& level : open_)
            level.is_array ? where /= level.index : where /= level.key;
        throw model::ContentError(file_, words_for(where), what);
    }

    const std::string& file_;
    std::vector<Level> open_;
};

/// nlohmann's text without its own labels: "[json.exception.parse_error.101] parse error at line 3, column 5:
/// …".
std::string reason(const Json::exception& error) {
    std::string text = error.what();
    for (const std::string label : {"] ", "parse error at "})
        if (const std::size_t at = text.find(label); at != std::string::npos)
            text.erase(0, at + label.size());
    return bounded(std::move(text));
}

} // namespace

void Document::fail(const Pointer& where, const std::string& what) const {
    throw model::ContentError(name, words_for(where), what);
}

Document parse(const Source& source) {
    Watcher watcher(source.name);
    const auto watch = [&watcher](int, Json::parse_event_t event, Json& parsed) {
        watcher(event, parsed);
        return true;
    };
    try {
        return {source.name, Json::parse(source.text, watch)};
    } catch (const Json::exception& error) {
        throw model::ContentError(source.name, "", reason(error));
    }
}

std::string cited(const Json& value) {
    constexpr std::size_t longest = 60;           // bytes
    std::string text = value.dump(-1, ' ', true); // ASCII, so that cutting cannot split a character
    return text.size() > longest ? text.substr(0, longest) + "…" : text;
}

} // namespace catalogue
