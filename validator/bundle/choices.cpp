#include "bundle/choices.h"

#include <algorithm>
#include <fmt/format.h>
#include <string_view>

namespace bundle {
namespace {

/// How the copies of a place are joined: chosen{copy}otherwise ... {what was there}.
struct Form {
    std::string_view opens;
    std::string begins; ///< a copy
    std::string_view ends;
    std::string_view closes;
    bool statements = false; ///< else expressions
};

Form form_of(const Place& place) {
    switch (place.kind) {
    case Place::Kind::body:
    case Place::Kind::statement: return {"{", "{", "}", "}", true};
    case Place::Kind::condition: return {"(", "static_cast<bool>(", ")", ")"};
    case Place::Kind::step: return {"(", "static_cast<void>(", ")", ")"};
    case Place::Kind::value:
        return {"(", place.type.empty() ? "(" : fmt::format("static_cast<{}>(", place.type), ")", ")"};
    }
    return {};
}

/// A place with all its choices.
struct Fork {
    Place place;
    std::vector<const Choice*> choices;
};

std::vector<Fork> gather(const std::vector<Choice>& choices) {
    std::vector<Fork> forks;
    for (const Choice& choice : choices) {
        const auto same = [&](const Fork& fork) {
            return fork.place.kind == choice.place.kind && fork.place.begin == choice.place.begin &&
                   fork.place.end == choice.place.end;
        };
        auto found = std::ranges::find_if(forks, same);
        if (found == forks.end()) found = forks.insert(forks.end(), {choice.place, {}});
        found->choices.push_back(&choice);
    }
    std::ranges::stable_sort(forks, [](const Fork& a, const Fork& b) {
        if (a.place.begin != b.place.begin) return a.place.begin < b.place.begin;
        if (a.place.end != b.place.end) return a.place.end > b.place.end;
        return a.place.kind < b.place.kind; // a body with a single statement
    });
    return forks;
}

class Writer {
  public:
    Writer(const std::string& source, const std::string& file, const std::vector<Choice>& choices)
        : source_(source), file_(file), forks_(gather(choices)) {}

    /// [begin, end) of the source, with the forks from number `first` on that lie there.
    std::string write(std::size_t begin, std::size_t end, std::size_t first) const {
        std::string text;
        std::size_t done = begin;
        for (std::size_t i = first; i < forks_.size() && forks_[i].place.begin < end; ++i) {
            const Place& place = forks_[i].place;
            if (place.begin < done) continue; // lies in the one before, which has written it
            text += source_.substr(done, place.begin - done) + write_fork(i);
            done = place.end;
        }
        return text + source_.substr(done, end - done);
    }

    /// Makes the compiler count on from `line` of a file.
    static std::string mark(int line, const std::string& file) {
        return fmt::format("\n#line {} \"{}\"\n", line, file);
    }

  private:
    std::string write_fork(std::size_t i) const {
        const Fork& fork = forks_[i];
        const Place& place = fork.place;
        const Form form = form_of(place);
        const auto copy = [&](const Excerpt& excerpt) {
            return fmt::format("{}{}{}\n{}", mark(excerpt.line, excerpt.file), form.begins, excerpt.code,
                               form.ends);
        };
        std::string text(form.opens);
        for (const Choice* choice : fork.choices)
            text +=
                fmt::format(fmt::runtime(form.statements ? "if (::{} == {}) {} else " : "::{} == {} ? {} : "),
                            selector, choice->number, copy(choice->copy));
        text += copy({write(place.begin, place.end, i + 1), file_, place.first_line});
        return text + std::string(form.closes) + mark(place.last_line, file_);
    }

    const std::string& source_;
    const std::string& file_;
    std::vector<Fork> forks_; ///< in the order of the source, an outer one before those that it holds
};

} // namespace

std::string with_choices(const std::string& source, const std::string& file,
                         const std::vector<Choice>& choices, const std::vector<Addition>& additions) {
    const Writer writer(source, file, choices);
    std::string text;
    std::size_t done = 0;
    for (const Addition& addition : additions) {
        text += writer.write(done, addition.offset, 0) +
                Writer::mark(addition.added.line, addition.added.file) + addition.added.code +
                Writer::mark(addition.line, file);
        done = addition.offset;
    }
    return text + writer.write(done, source.size(), 0);
}

} // namespace bundle
