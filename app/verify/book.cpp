#include "app/verify/book.h"

#include "bundle/choices.h"
#include "bundle/implementation.h"
#include "reader/functions.h"

#include <algorithm>
#include <fmt/format.h>

namespace verify {
namespace {

constexpr const char* compiled = "mutants.cpp";
constexpr const char* list = "mutants";

std::string id_of(const std::string& mutant) {
    return "mutant_" + mutant;
}

/// The reference with what a mutant changes in it.
std::string chapter(const std::string& mutant, std::size_t files,
                    const std::vector<std::string>& from_contract) {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < files; ++i)
        names.push_back(file_name(mutant, i));
    return bundle::implementation(id_of(mutant), names, from_contract);
}

/// Whether a mutant changes only the body of one of its source's functions that runs when the program does.
bool can_be_chosen(const Mutant& mutant, const std::vector<reader::Function>& functions) {
    return std::ranges::any_of(functions, [&](const reader::Function& function) {
        return !function.constant && mutant.offset > function.opens &&
               mutant.offset + mutant.length <= function.closes;
    });
}

/// What chooses a mutant, at the smallest of these places that holds its change.
bundle::Choice choice_of(const Mutant& mutant, std::size_t number, std::size_t file,
                         const std::string& source, const std::vector<bundle::Place>& places) {
    const bundle::Place* smallest = nullptr;
    for (const bundle::Place& place : places)
        if (mutant.offset >= place.begin && mutant.offset + mutant.length <= place.end &&
            (smallest == nullptr || place.length() <= smallest->length()))
            smallest = &place;
    Mutant within = mutant;
    within.offset -= smallest->begin;
    return {number,
            *smallest,
            {within.apply(source.substr(smallest->begin, smallest->length())),
             file_name(std::to_string(number), file), smallest->first_line}};
}

} // namespace

std::string file_name(const std::string& mutant, std::size_t file) {
    return fmt::format("mutant_{}_{}.cpp", mutant, file);
}

std::vector<Candidate> candidates(const std::vector<std::string>& sources) {
    std::vector<Candidate> all;
    for (std::size_t file = 0; file < sources.size(); ++file) {
        const std::vector<reader::Function> functions = reader::functions_of(sources[file]);
        for (Mutant& mutant : mutate(sources[file])) {
            const bool chosen = can_be_chosen(mutant, functions);
            all.push_back({file, std::move(mutant), chosen});
        }
    }
    return all;
}

bundle::Written write_book(const std::vector<std::size_t>& which, const std::vector<Candidate>& all,
                           const std::vector<std::string>& sources,
                           const std::vector<std::string>& from_contract, bundle::Copied copied) {
    bundle::Written book;
    for (std::size_t file = 0; file < sources.size(); ++file) {
        std::vector<bundle::Place> places = bundle::places_of(sources[file]);
        if (copied == bundle::Copied::bodies)
            std::erase_if(places,
                          [](const bundle::Place& place) { return place.kind != bundle::Place::Kind::body; });
        std::vector<bundle::Choice> choices;
        for (const std::size_t k : which)
            if (all[k].chosen && all[k].file == file)
                choices.push_back(choice_of(all[k].mutant, k, file, sources[file], places));
        const std::string name = file_name(unchanged, file);
        book.files[name] = bundle::with_choices(sources[file], name, choices);
        book.owners[name] = unchanged;
    }
    std::string chapters = chapter(unchanged, sources.size(), from_contract);
    std::vector<bundle::Name> names{{unchanged, id_of(unchanged), {}}};
    for (const std::size_t k : which) {
        const std::string name = std::to_string(k);
        for (std::size_t file = 0; file < sources.size(); ++file)
            book.owners[file_name(name, file)] = name;
        if (all[k].chosen) {
            names.push_back({name, id_of(unchanged), k});
            continue;
        }
        names.push_back({name, id_of(name), {}});
        for (std::size_t file = 0; file < sources.size(); ++file)
            book.files[file_name(name, file)] =
                all[k].file == file ? all[k].mutant.apply(sources[file]) : sources[file];
        chapters += chapter(name, sources.size(), from_contract);
    }
    book.compiled = {compiled};
    book.files[compiled] = bundle::preamble() + bundle::selector_variable() + chapters +
                           bundle::tables(list, names) + bundle::selector_choice(list, names.size()) +
                           bundle::all_tables({{list, names.size()}});
    return book;
}

} // namespace verify
