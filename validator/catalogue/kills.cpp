#include "catalogue/kills.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "text/nearest.h"

namespace catalogue {
namespace {

constexpr const char* remedy = "the command verify --accept measures again";

[[noreturn]] void fail_unknown(const Document& kills, const Pointer& where, const std::string& what,
                               const std::string& name, const std::vector<std::string>& known) {
    const auto meant = text::nearest(name, known);
    kills.fail(where, "must " + what + " (got " + cited(name) + ")" +
                          (meant ? ", did you mean " + cited(*meant) + "? " : "; ") + remedy);
}

std::vector<std::string> strings(const Json& entry, const char* key) {
    return entry.contains(key) ? entry.at(key).get<std::vector<std::string>>() : std::vector<std::string>{};
}

/// The names that are tests, each once.
std::vector<std::string> tests_of(const Document& kills, const Pointer& where,
                                  const std::vector<std::string>& names,
                                  const std::vector<std::string>& known, std::set<std::string>& seen,
                                  Faults* faults) {
    std::vector<std::string> tests;
    for (std::size_t i = 0; i < names.size(); ++i)
        succeeds(faults, [&] {
            if (std::ranges::find(known, names[i]) == known.end())
                fail_unknown(kills, where / i, "be a test of problem.json", names[i], known);
            if (!seen.insert(names[i]).second)
                kills.fail(where / i, "names " + cited(names[i]) + " twice for one program");
            tests.push_back(names[i]);
        });
    return tests;
}

template <class Values>
std::vector<std::string> names_of(const Values& values) {
    std::vector<std::string> names;
    names.reserve(std::size(values));
    for (const auto& value : values)
        names.emplace_back(value.name);
    return names;
}

std::vector<model::FindingKind> finding_kinds(const Document& kills, const Pointer& where,
                                              const std::vector<std::string>& names) {
    std::vector<model::FindingKind> kinds;
    for (std::size_t i = 0; i < names.size(); ++i) {
        const auto kind = model::value_of(model::finding_kinds, names[i]);
        if (!kind)
            fail_unknown(kills, where / i, "be what a trace finds", names[i], names_of(model::finding_kinds));
        kinds.push_back(*kind);
    }
    return kinds;
}

void read_entry(const Document& kills, const Pointer& where, const Json& entry, model::Mistake& mistake,
                const std::vector<std::string>& known, Faults* faults) {
    std::set<std::string> seen;
    const auto tests = [&](const char* key) {
        return tests_of(kills, where / key, strings(entry, key), known, seen, faults);
    };
    mistake.always = tests("always");
    mistake.sometimes = tests("sometimes");
    mistake.checked = tests("checked");
    mistake.finds = finding_kinds(kills, where / "finds", strings(entry, "finds"));
    mistake.always.insert(mistake.always.end(), mistake.checked.begin(), mistake.checked.end());
}

std::vector<std::string> words_of(const std::vector<model::FindingKind>& kinds) {
    std::vector<std::string> words;
    words.reserve(kinds.size());
    for (const model::FindingKind kind : kinds)
        words.emplace_back(name(kind));
    return words;
}

/// The names in quotes, those of `order` first and as there.
std::string list(std::vector<std::string> names, const std::vector<std::string>& order) {
    std::ranges::stable_sort(names, {},
                             [&](const std::string& name) { return std::ranges::find(order, name); });
    std::string text;
    for (const std::string& name : names)
        text += (text.empty() ? "" : ", ") + Json(name).dump();
    return "[" + text + "]";
}

/// Without those of `other`.
std::vector<std::string> without(const std::vector<std::string>& names,
                                 const std::vector<std::string>& other) {
    std::vector<std::string> left;
    std::ranges::copy_if(names, std::back_inserter(left), [&](const std::string& name) {
        return std::ranges::find(other, name) == other.end();
    });
    return left;
}

} // namespace

void read_kills(const Document& kills, model::Problem& problem, Faults* faults) {
    const Json& seeds = kills.content.at("seeds");
    problem.kill_seeds = {seeds.at("first"), seeds.at("count"), seeds.value("checked", 0U)};
    const std::vector<std::string> known = names_of(problem.tests);
    for (const auto& [name, entry] : kills.content.at("mistakes").items())
        succeeds(faults, [&, &name = name, &entry = entry] {
            const Pointer where = Pointer("/mistakes") / name;
            const auto mistake = std::ranges::find(problem.mistakes, name, &model::Mistake::name);
            if (mistake == problem.mistakes.end())
                fail_unknown(kills, where, "be a file of mistakes/", name, names_of(problem.mistakes));
            read_entry(kills, where, entry, *mistake, known, faults);
        });
}

void read_witness_kills(const Document& kills, model::Problem& problem, Faults* faults) {
    if (!kills.content.contains("witnesses")) return;
    const std::vector<std::string> known = names_of(problem.tests);
    for (const auto& [name, tests] : kills.content.at("witnesses").items())
        succeeds(faults, [&, &name = name, &tests = tests] {
            const Pointer where = Pointer("/witnesses") / name;
            const auto witness = std::ranges::find(problem.witnesses, name, &model::Witness::name);
            if (witness == problem.witnesses.end())
                fail_unknown(kills, where, "be a file of witnesses/", name, names_of(problem.witnesses));
            std::set<std::string> seen;
            witness->refused_by =
                tests_of(kills, where, tests.get<std::vector<std::string>>(), known, seen, faults);
        });
}

std::string write_kills(const model::Problem& problem) {
    const std::vector<std::string> order = names_of(problem.tests);
    const model::KillSeeds& seeds = problem.kill_seeds;
    std::string text =
        "{\n  \"format\": \"engine.kills/1\",\n  \"seeds\": {\"first\": " + std::to_string(seeds.first) +
        ", \"count\": " + std::to_string(seeds.count) +
        (seeds.checked == 0 ? "" : ", \"checked\": " + std::to_string(seeds.checked)) + "},\n";
    const char* separator = "  \"witnesses\": {\n";
    for (const model::Witness& witness : problem.witnesses)
        if (!witness.refused_by.empty())
            text += std::exchange(separator, ",\n") + ("    " + Json(witness.name).dump()) + ": " +
                    list(witness.refused_by, order);
    if (std::string_view(separator) == ",\n") text += "\n  },\n";
    text += "  \"mistakes\": {";
    separator = "\n";
    for (const model::Mistake& mistake : problem.mistakes) {
        text += std::exchange(separator, ",\n") + ("    " + Json(mistake.name).dump()) +
                ": {\"always\": " + list(without(mistake.always, mistake.checked), order);
        for (const auto& [key, names] :
             {std::pair{"sometimes", mistake.sometimes}, std::pair{"checked", mistake.checked},
              std::pair{"finds", words_of(mistake.finds)}})
            if (!names.empty()) text += std::string(", \"") + key + "\": " + list(names, order);
        text += "}";
    }
    return text + "\n  }\n}\n";
}

} // namespace catalogue
