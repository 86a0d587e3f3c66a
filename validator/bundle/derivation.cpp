#include "bundle/derivation.h"

#include "bundle/difference.h"

#include <algorithm>

namespace bundle {
namespace {

using Range = Edit::Range;

bool within(const Range& inner, const Range& outer) {
    return inner.first >= outer.first && inner.last <= outer.last;
}

/// The declarations that make up these words, with nothing left over but whole namespaces around them.
/// Nothing where that is not so.
std::optional<std::vector<const reader::Declaration*>> declared_in(const Source& source, const Range& range) {
    std::vector<const reader::Declaration*> found;
    for (const reader::Declaration& each : source.declarations) {
        const Range words{each.first, each.last};
        if (within(words, range))
            found.push_back(&each);
        else if (words.first < range.last && range.first < words.last)
            return std::nullopt;
    }
    for (std::size_t i = range.first; i < range.last; ++i) {
        const std::size_t partner = source.words[i].partner;
        if (partner > 0 && !within({partner, partner + 1}, range)) return std::nullopt;
    }
    return found;
}

bool mentions(const Source& source, const std::string& name) {
    return std::ranges::find(source.words, name, &reader::Word::text) != source.words.end();
}

/// Names that the standard library calls wherever it finds them.
bool is_called_by_others(const std::string& name) {
    static const std::set<std::string> names{"begin", "end", "size", "data", "swap", "get", "hash"};
    return names.contains(name);
}

class Deriver {
  public:
    Deriver(const Source& base, const Source& program, std::size_t number, const std::string& file)
        : base_(base), program_(program), number_(number), file_(file) {}

    std::optional<Derivation> run() {
        if (base_.stateful || base_.other_directives || program_.other_directives || !include_alike())
            return std::nullopt;
        std::vector<Edit> inside;
        for (const Edit& lines : changed_lines(base_.words, program_.words)) {
            if (declares(lines)) {
                edits_.push_back(lines);
                continue;
            }
            for (const Edit& words : changed_words(base_.words, program_.words, lines)) {
                edits_.push_back(words);
                inside.push_back(words);
            }
        }
        for (const Edit& edit : inside)
            if (!place(edit)) return std::nullopt;
        drop_inner();
        compare_lines();
        for (const std::size_t place : chosen_)
            add_choice(base_.places[place]);
        return std::move(result_);
    }

  private:
    bool include_alike() {
        for (const std::string& header : program_.includes) {
            if (base_.includes.contains(header)) continue;
            if (header.front() == '"') return false;
            result_.includes.insert(header);
        }
        return true;
    }

    /// Whether an edit only adds and removes whole declarations that mean nothing to the rest: new names, and
    /// names that are no longer used.
    bool declares(const Edit& edit) {
        const auto removed = declared_in(base_, edit.before);
        const auto added = declared_in(program_, edit.after);
        if (!removed || !added) return false;
        for (const reader::Declaration* each : *removed)
            if (each->name.empty() || mentions(program_, each->name)) return false;
        for (const reader::Declaration* each : *added)
            if (each->name.empty() || mentions(base_, each->name) || is_called_by_others(each->name))
                return false;
        for (const reader::Declaration* each : *added)
            result_.added.insert(each->name);
        if (!edit.after.empty()) add(edit);
        return true;
    }

    void add(const Edit& edit) {
        const reader::Word& first = program_.words[edit.after.first];
        const reader::Word& last = program_.words[edit.after.last - 1];
        const bool at_end = edit.before.first == base_.words.size();
        const int last_line = base_.words.empty() ? 1 : base_.words.back().line;
        result_.additions.push_back(
            {.offset = at_end ? base_.text.size() : base_.words[edit.before.first].offset,
             .line = at_end ? last_line : base_.words[edit.before.first].line,
             .added = {program_.text.substr(first.offset, last.end() - first.offset), file_, first.line}});
    }

    bool is_edited(std::size_t word) const {
        return std::ranges::any_of(
            edits_, [&](const Edit& edit) { return edit.before.first <= word && word < edit.before.last; });
    }

    /// Where the program has a word of the base that no edit touches.
    std::size_t counterpart(std::size_t word) const {
        std::size_t shifted = word;
        for (const Edit& edit : edits_)
            if (edit.before.last <= word)
                shifted += (edit.after.last - edit.after.first) - (edit.before.last - edit.before.first);
        return shifted;
    }

    /// The program's place that corresponds to one of the base, if there is one of the same kind.
    const Place* counterpart(const Place& place) const {
        const std::size_t left = place.first_word - 1;
        if (!place.exact || is_edited(left) || is_edited(place.last_word)) return nullptr;
        const std::size_t first = counterpart(left) + 1;
        const std::size_t last = counterpart(place.last_word);
        const auto same = [&](const Place& other) {
            return other.exact && other.kind == place.kind && other.type == place.type &&
                   other.first_word == first && other.last_word == last;
        };
        const auto found = std::ranges::find_if(program_.places, same);
        return found != program_.places.end() ? &*found : nullptr;
    }

    /// Finds the smallest place that holds an edit in both texts.
    bool place(const Edit& edit) {
        std::optional<std::size_t> best;
        for (std::size_t i = 0; i < base_.places.size(); ++i) {
            const Place& each = base_.places[i];
            if (!within(edit.before, {each.first_word, each.last_word})) continue;
            if (best && base_.places[*best].length() < each.length()) continue;
            if (counterpart(each) != nullptr) best = i;
        }
        if (best) chosen_.push_back(*best);
        return best.has_value();
    }

    /// A place's copy holds all edits in it, so no place within it is needed.
    void drop_inner() {
        std::ranges::sort(chosen_); // an outer place comes before those that it holds
        std::size_t end = 0;
        std::erase_if(chosen_, [&](std::size_t place) {
            const bool inner = base_.places[place].end <= end;
            if (!inner) end = base_.places[place].end;
            return inner;
        });
    }

    void compare_lines() {
        std::vector<bool> shared(base_.words.size(), true);
        const auto leave_out = [&](std::size_t first, std::size_t last) {
            std::fill(shared.begin() + static_cast<std::ptrdiff_t>(first),
                      shared.begin() + static_cast<std::ptrdiff_t>(last), false);
        };
        for (const std::size_t place : chosen_)
            leave_out(base_.places[place].first_word, base_.places[place].last_word);
        for (const Edit& edit : edits_)
            leave_out(edit.before.first, edit.before.last);
        for (std::size_t i = 0; i < shared.size() && result_.same_lines; ++i)
            result_.same_lines = !shared[i] || base_.words[i].line == program_.words[counterpart(i)].line;
    }

    void add_choice(const Place& place) {
        const Place& own = *counterpart(place);
        result_.choices.push_back(
            {number_, place, {program_.text.substr(own.begin, own.length()), file_, own.first_line}});
    }

    const Source& base_;
    const Source& program_;
    std::size_t number_;
    const std::string& file_;
    std::vector<Edit> edits_;         ///< all of them, in order
    std::vector<std::size_t> chosen_; ///< indices into the base's places
    Derivation result_;
};

} // namespace

std::optional<Derivation> derive(const Source& base, const Source& program, std::size_t number,
                                 const std::string& file) {
    return Deriver(base, program, number, file).run();
}

} // namespace bundle
