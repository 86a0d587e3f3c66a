#include "bundle/programs.h"

#include "bundle/derivation.h"
#include "bundle/implementation.h"
#include "reader/functions.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <optional>

namespace bundle {
namespace {

/// Smaller parts would spend much of their time on templates that every part compiles.
constexpr std::size_t part_size = 100'000;
constexpr std::size_t max_parts = 8;

/// A program, and what it changes in its base where that is known.
struct Plan {
    const Program* program = nullptr;
    std::size_t number = 0;
    std::size_t base = 0; ///< index into the bases
    std::optional<Derivation> derivation;

    std::string file() const { return program->name + ".cpp"; }

    std::size_t size() const {
        if (!derivation) return program->text.size();
        std::size_t sum = 0;
        for (const Choice& choice : derivation->choices)
            sum += choice.copy.code.size();
        for (const Addition& addition : derivation->additions)
            sum += addition.added.code.size();
        return sum;
    }

    Copied copied() const {
        if (!derivation) return Copied::whole;
        const bool body = std::ranges::any_of(
            derivation->choices, [](const Choice& choice) { return choice.place.kind == Place::Kind::body; });
        return body ? Copied::bodies : Copied::places;
    }
};

bool has_word(const Source& source, const std::set<std::string>& names) {
    return std::ranges::any_of(
        source.words, [&](const reader::Word& word) { return names.contains(std::string(word.text)); });
}

/// Derives the programs of one base. What one of them adds, none of the others may mean something else by.
void derive_all(const std::string& base_text, std::vector<Plan*> plans, const Options& options) {
    const Source base(base_text);
    std::vector<Source> sources;
    sources.reserve(plans.size());
    for (const Plan* plan : plans)
        sources.emplace_back(plan->program->text);
    for (std::size_t i = 0; i < plans.size(); ++i) {
        std::optional<Derivation> derivation = derive(base, sources[i], plans[i]->number, plans[i]->file());
        if (!derivation || (options.own_lines && !derivation->same_lines)) continue;
        bool clashes = false;
        for (std::size_t k = 0; k < plans.size(); ++k)
            clashes = clashes || (k != i && has_word(sources[k], derivation->added));
        if (!clashes) plans[i]->derivation = std::move(derivation);
    }
}

class WorkerWriter {
  public:
    WorkerWriter(const std::vector<Program>& programs, const std::string& contract, const Options& options)
        : from_contract_(reader::defined_functions(contract)) {
        plan(programs, options);
        const std::size_t total = size();
        const std::size_t parts =
            options.parts > 0 ? options.parts
                              : std::clamp<std::size_t>((total + part_size / 2) / part_size, 1, max_parts);
        write(total, std::min(parts, std::max<std::size_t>(plans_.size(), 1)));
    }

    Written take() { return std::move(written_); }

  private:
    void plan(const std::vector<Program>& programs, const Options& options) {
        for (const Program& program : programs) {
            Plan plan{&program, plans_.size(), 0, {}};
            const auto known = std::ranges::find(bases_, program.base);
            plan.base = static_cast<std::size_t>(known - bases_.begin());
            if (known == bases_.end()) bases_.push_back(program.base);
            plans_.push_back(std::move(plan));
        }
        for (std::size_t base = 0; base < bases_.size() && !options.all_whole; ++base) {
            std::vector<Plan*> of_base;
            for (Plan& plan : plans_)
                if (plan.base == base && !bases_[base].empty() && !options.whole.contains(plan.program->name))
                    of_base.push_back(&plan);
            derive_all(bases_[base], of_base, options);
        }
        // What shares a base comes together; the whole copies fill up the last parts.
        std::ranges::stable_sort(
            plans_, {}, [&](const Plan& plan) { return plan.derivation ? plan.base : bases_.size(); });
    }

    std::size_t size() const {
        std::size_t sum = 0;
        std::set<std::size_t> bases;
        for (const Plan& plan : plans_) {
            sum += plan.size();
            if (plan.derivation && bases.insert(plan.base).second) sum += bases_[plan.base].size();
        }
        return sum;
    }

    void write(std::size_t total, std::size_t parts) {
        std::vector<List> lists;
        std::size_t done = 0;
        auto next = plans_.begin();
        for (std::size_t part = 0; part < parts && next != plans_.end(); ++part) {
            const auto first = next;
            std::set<std::size_t> bases;
            while (next != plans_.end() && (part + 1 == parts || done < total * (part + 1) / parts)) {
                done += next->size();
                if (next->derivation && bases.insert(next->base).second) done += bases_[next->base].size();
                ++next;
            }
            lists.push_back({fmt::format("part_{}", part), static_cast<std::size_t>(next - first)});
            write_part(lists.back(), part, std::vector<Plan>(first, next));
        }
        if (lists.empty()) written_.compiled.emplace_back("part_0.cpp");
        std::string& main = written_.files[written_.compiled.front()];
        if (lists.empty()) main = preamble();
        main += all_tables(lists);
    }

    void write_part(const List& list, std::size_t part, const std::vector<Plan>& plans) {
        std::vector<Name> names;
        std::string implementations;
        std::map<std::size_t, std::vector<const Plan*>> by_base;
        for (const Plan& plan : plans) {
            written_.copied[plan.program->name] = plan.copied();
            written_.owners[plan.file()] = plan.program->name;
            if (plan.derivation) {
                names.push_back({plan.program->name, base_id(plan.base, part), plan.number});
                by_base[plan.base].push_back(&plan);
                continue;
            }
            const std::string id = fmt::format("program_{}", plan.number);
            names.push_back({plan.program->name, id, {}});
            written_.files[plan.file()] = plan.program->text;
            implementations += implementation(id, {plan.file()}, from_contract_);
        }
        for (const auto& [base, derived] : by_base) {
            const std::string id = base_id(base, part);
            const std::string file = id + ".cpp";
            written_.owners[file] = Written::shared;
            written_.files[file] = base_text(bases_[base], file, derived);
            implementations += implementation(id, {file}, from_contract_);
        }
        const std::string name = list.name + ".cpp";
        written_.compiled.push_back(name);
        written_.files[name] = preamble() + selector_variable() + implementations + tables(list.name, names) +
                               selector_choice(list.name, list.count);
    }

    /// Different in all parts, because classes of one name would be taken for each other.
    static std::string base_id(std::size_t base, std::size_t part) {
        return fmt::format("base_{}_of_part_{}", base, part);
    }

    static std::string base_text(const std::string& text, const std::string& file,
                                 const std::vector<const Plan*>& derived) {
        std::vector<Choice> choices;
        std::vector<Addition> additions;
        std::set<std::string> includes;
        for (const Plan* plan : derived) {
            std::ranges::copy(plan->derivation->choices, std::back_inserter(choices));
            std::ranges::copy(plan->derivation->additions, std::back_inserter(additions));
            includes.insert(plan->derivation->includes.begin(), plan->derivation->includes.end());
        }
        std::ranges::stable_sort(additions, {}, &Addition::offset);
        std::string head;
        for (const std::string& header : includes)
            head += fmt::format("#include {}\n", header);
        if (!head.empty()) head += fmt::format("#line 1 \"{}\"\n", file);
        return head + with_choices(text, file, choices, additions);
    }

    std::vector<std::string> from_contract_;
    std::vector<std::string> bases_;
    std::vector<Plan> plans_;
    Written written_;
};

} // namespace

Written write_programs(const std::vector<Program>& programs, const std::string& contract,
                       const Options& options) {
    return WorkerWriter(programs, contract, options).take();
}

} // namespace bundle
