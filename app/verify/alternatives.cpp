#include "app/verify/alternatives.h"

#include "app/verify/places.h"

#include <algorithm>
#include <fmt/format.h>
#include <string_view>

namespace verify {
namespace {

/// How the copies of a place stand side by side: chosen{copy}otherwise ... {what was there}.
struct Form {
    std::string_view opens;
    std::string_view begins; ///< a copy
    std::string_view ends;   ///< a copy
    std::string_view closes;
    bool statements = false; ///< else expressions
};

Form form_of(Place::Kind kind) {
    switch (kind) {
    case Place::Kind::body:
    case Place::Kind::statement: return {"{", "{", "}", "}", true};
    case Place::Kind::condition: return {"(", "static_cast<bool>(", ")", ")"};
    case Place::Kind::step: return {"(", "static_cast<void>(", ")", ")"};
    case Place::Kind::value: return {"(", "(", ")", ")"};
    }
    return {};
}

/// A place with the alternatives that change nothing outside of it.
struct Choice {
    Place place;
    std::vector<Alternative> alternatives;

    bool holds(const Mutant& mutant) const {
        return mutant.offset >= place.begin && mutant.offset + mutant.length <= place.end;
    }
};

class Writer {
  public:
    Writer(const std::string& source, std::size_t file, std::vector<Choice> choices)
        : source_(source), file_(file), choices_(std::move(choices)) {}

    /// [begin, end) of the source, with the choices from number `first` on that lie there.
    std::string write(std::size_t begin, std::size_t end, std::size_t first) const {
        std::string text;
        std::size_t done = begin;
        for (std::size_t i = first; i < choices_.size() && choices_[i].place.end <= end; ++i) {
            const Place& place = choices_[i].place;
            if (place.begin < done) continue; // lies in the one before, which has written it
            text += source_.substr(done, place.begin - done) + write_choice(i);
            done = place.end;
        }
        return text + source_.substr(done, end - done);
    }

  private:
    /// Makes the compiler count on from `line` of a mutant's file.
    std::string mark(int line, const std::string& mutant) const {
        return fmt::format("\n#line {} \"{}\"\n", line, file_name(mutant, file_));
    }

    std::string write_choice(std::size_t i) const {
        const Choice& choice = choices_[i];
        const Place& place = choice.place;
        const Form form = form_of(place.kind);
        const auto copy = [&](const std::string& mutant, const std::string& code) {
            return fmt::format("{}{}{}\n{}", mark(place.first_line, mutant), form.begins, code, form.ends);
        };
        std::string text(form.opens);
        for (const Alternative& each : choice.alternatives) {
            Mutant within = *each.mutant;
            within.offset -= place.begin;
            const std::string code = within.apply(source_.substr(place.begin, place.length()));
            const std::string changed = copy(std::to_string(each.number), code);
            text += form.statements ? fmt::format("if (::chosen_mutant == {}) {} else ", each.number, changed)
                                    : fmt::format("::chosen_mutant == {} ? {} : ", each.number, changed);
        }
        text += copy(unchanged, write(place.begin, place.end, i + 1));
        return text + std::string(form.closes) + mark(place.last_line, unchanged);
    }

    const std::string& source_;
    std::size_t file_;
    std::vector<Choice> choices_; ///< in the order of the source, an outer one before those that it holds
};

} // namespace

std::string file_name(const std::string& mutant, std::size_t file) {
    return fmt::format("mutant_{}_{}.cpp", mutant, file);
}

bool can_be_chosen(const Mutant& mutant, const std::vector<bundle::Function>& functions) {
    return std::ranges::any_of(functions, [&](const bundle::Function& function) {
        return !function.constant && mutant.offset > function.opens &&
               mutant.offset + mutant.length <= function.closes;
    });
}

std::string with_alternatives(const std::string& source, std::size_t file,
                              const std::vector<Alternative>& alternatives, Copied copied) {
    std::vector<Choice> choices;
    for (const Place& place : places_of(source))
        if (copied == Copied::place || place.kind == Place::Kind::body) choices.push_back({place, {}});
    for (const Alternative& each : alternatives) {
        Choice* smallest = nullptr;
        for (Choice& choice : choices)
            if (choice.holds(*each.mutant) &&
                (smallest == nullptr || choice.place.length() <= smallest->place.length()))
                smallest = &choice;
        if (smallest != nullptr) smallest->alternatives.push_back(each);
    }
    std::erase_if(choices, [](const Choice& choice) { return choice.alternatives.empty(); });
    return Writer(source, file, std::move(choices)).write(0, source.size(), 0);
}

} // namespace verify
