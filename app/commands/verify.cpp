#include "app/commands.h"
#include "app/interrupts.h"
#include "app/judging.h"
#include "app/proof_jobs.h"
#include "app/proving.h"
#include "app/verify/bank.h"
#include "app/verify/blanks.h"
#include "app/verify/proof.h"
#include "catalogue/collections.h"
#include "catalogue/curriculum_check.h"
#include "catalogue/order.h"
#include "judge.h"
#include "model/errors.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <functional>
#include <iostream>
#include <iterator>
#include <memory>
#include <numeric>

namespace app {
namespace {

using Clock = std::chrono::steady_clock;

/// The collections whose order is looked at: the author's, else all.
std::vector<std::size_t> wanted_collections(const collections::Collections& content) {
    if (content.authors) return {*content.authors};
    std::vector<std::size_t> all(content.all.size());
    std::iota(all.begin(), all.end(), 0);
    return all;
}

/// The ids of one collection in order.
std::vector<std::string> ids_of(const catalogue::Content& content) {
    return catalogue::read_order(content).ids;
}

/// Prints what is wrong with the order of the wanted collections; true where something is.
bool print_curriculum_faults(const Context& context) {
    const std::vector<catalogue::Content>& all = context.content().all;
    bool found = false;
    for (const std::size_t wanted : wanted_collections(context.content())) {
        std::vector<std::string> earlier;
        for (std::size_t i = 0; i < wanted; ++i)
            std::ranges::move(ids_of(all[i]), std::back_inserter(earlier));
        for (const std::string& fault : catalogue::curriculum_faults(all[wanted], earlier)) {
            std::cout << "gap: " << fault << "\n";
            found = true;
        }
    }
    return found;
}

std::vector<std::string> wanted_ids(const Context& context) {
    if (!context.options().ids.empty()) return context.problem_ids();
    std::vector<std::string> ids;
    for (const std::size_t wanted : wanted_collections(context.content()))
        std::ranges::move(ids_of(context.content().all[wanted]), std::back_inserter(ids));
    return ids;
}

/// Prints every blank that an author still has to fill in.
std::vector<verify::Blank> print_blanks(const Context& context, const std::string& id) {
    const catalogue::Content* const content =
        catalogue::holder_of(context.content().all, context.problem_id(id));
    if (content == nullptr) return {};
    std::vector<verify::Blank> blanks = verify::find_blanks(*content, id);
    for (const verify::Blank& blank : blanks)
        std::cout << fmt::format("{}:{}: {}\n", blank.file, blank.line, blank.what);
    return blanks;
}

/// What can be proven; the others are broken, which was said, and breaks nothing else.
class Planned {
  public:
    Planned(const Context& context, const std::vector<std::string>& ids) : context_(context) {
        proofs.reserve(ids.size());
        for (const std::string& id : ids) {
            std::vector<verify::Blank> blanks = print_blanks(context, id);
            unless_broken([&] {
                catalogue::Faults faults;
                proofs.push_back(verify::plan_proof(
                    context.problem(id, {.witnesses = true, .faults = &faults}),
                    context.options().mutants && !context.options().witnesses, context.layout().schemas));
                proofs.back().faults = std::move(faults);
                proofs.back().blanks = std::move(blanks);
                if (context.options().witnesses) verify::keep_witnesses_only(proofs.back());
            });
        }
    }

    /// Makes what they are judged with, which has to be kept.
    std::vector<std::unique_ptr<kit::Kit>> prepare(const kit::Kits& kits, int cancel_fd) {
        std::vector<std::unique_ptr<kit::Kit>> opened;
        for (verify::Proof& proof : proofs)
            unless_broken([&] {
                opened.push_back(std::make_unique<kit::Kit>(kits, proof.problem, cancel_fd));
                proof.kit = opened.back().get();
            });
        for (verify::Proof& proof : proofs)
            if (proof.kit != nullptr && !unless_broken([&] { proof.kit->wait(); })) proof.kit = nullptr;
        std::erase_if(proofs, [](const verify::Proof& proof) { return proof.kit == nullptr; });
        return opened;
    }

    std::vector<verify::Proof> proofs;
    bool all = true; ///< none was broken

  private:
    bool unless_broken(const std::function<void()>& attempt) {
        try {
            attempt();
            return true;
        } catch (const model::ContentError& error) {
            context_.warn(error.what());
            return all = false;
        }
    }

    const Context& context_;
};

double seconds(std::chrono::microseconds time) {
    return static_cast<double>(time.count()) / 1e6;
}

void print_timings(const std::vector<verify::Proof>& proofs, Spent spent) {
    constexpr std::size_t max_shown = 8;
    std::size_t judgements = 0;
    std::size_t mutants = 0;
    std::chrono::microseconds building{0};
    for (const verify::Proof& proof : proofs) {
        judgements += proof.trials.size();
        for (const verify::HuntPart& part : proof.hunt_parts) {
            mutants += part.which.size();
            building += part.build;
        }
    }
    std::cout << fmt::format(
        "time of all cores: sweeps {:.1f} s, {} judgements {:.1f} s, {} mutants {:.1f} s ({:.1f} s of it "
        "building)\n",
        seconds(spent.sweeps), judgements, seconds(spent.judgements), mutants, seconds(spent.mutants),
        seconds(building));
    std::ranges::sort(spent.jobs, std::greater<>());
    std::cout << "longest:";
    for (std::size_t i = 0; i < std::min<std::size_t>(spent.jobs.size(), max_shown); ++i)
        std::cout << fmt::format("{} {} {:.1f} s", i == 0 ? "" : ",", spent.jobs[i].second,
                                 seconds(spent.jobs[i].first));
    std::cout << "\n";
}

/// What the questions of all problems together give away; true where that is nothing.
bool print_bank_gaps(const std::vector<verify::Proof>& proofs) {
    std::vector<const model::Problem*> problems;
    problems.reserve(proofs.size());
    for (const verify::Proof& proof : proofs)
        problems.push_back(&proof.problem);
    const auto gaps = verify::bank_gaps(problems);
    for (const std::string& gap : gaps)
        std::cout << "gap: " << gap << "\n";
    return gaps.empty();
}

void judge_all(const Options& options, Work& work, terminal::Progress& progress) {
    const auto run = [&](std::string_view what, const std::vector<Job>& jobs) {
        run_jobs(what, jobs, work.spent, progress);
    };
    if (options.witnesses) return run("witnesses", plan_witnesses(work));
    run("references", plan_references(work));
    run("known mistakes", plan_mistakes(work));
    run("witnesses", plan_witnesses(work));
    run("programs to build", plan_builds(work));
    run("suites and mistakes to check", plan_checks(work));
    if (options.seeds) try_seeds(options, work, progress);
}

/// What is still wrong with a package after kills.json was written.
catalogue::Faults remaining_faults(const Context& context, const std::string& id) {
    catalogue::Faults faults;
    catalogue::succeeds(&faults, [&] { (void)context.problem(id, {.witnesses = true, .faults = &faults}); });
    return faults;
}

} // namespace

ExitCode run_verify(Context& context) {
    const auto start = Clock::now();
    const bool ordered = !context.options().ids.empty() || !print_curriculum_faults(context);
    Planned planned(context, wanted_ids(context));
    std::vector<verify::Proof>& proofs = planned.proofs;

    const Interrupts interrupts;
    terminal::Progress progress(std::cerr, context.err().is_terminal, context.err().columns);
    const build::Workshop workshop(context.building_layout(),
                                   {{}, [&](std::string_view text) { context.warn(text); }});
    const kit::Kits kits(workshop);
    const auto opened = planned.prepare(kits, interrupts.fd());
    const Options& options = context.options();
    Work work{workshop, proofs, options.seed.value_or(fresh_seed()), interrupts.fd(), {}};
    const bool moves = options.seed || options.seeds;
    if (options.accept) {
        if (!options.witnesses) measure(work, moves, progress);
        measure_witnesses(work, moves, progress);
    }
    for (verify::Proof& proof : proofs) {
        proof.mistakes_seed = mistakes_seed(options, proof.problem, work.seed);
        proof.thorough = options.accept || proof.problem.kill_seeds.count == 0;
    }
    judge_all(options, work, progress);
    if (options.accept) {
        if (!options.witnesses) accept(work, progress);
        for (verify::Proof& proof : proofs)
            proof.faults = remaining_faults(context, proof.problem.id);
    }
    progress.clear();

    bool sound = print_bank_gaps(proofs) && planned.all && ordered;
    std::size_t judgements = 0;
    std::size_t blanks = 0;
    for (const verify::Proof& proof : proofs) {
        std::cout << verify::render(proof) << "\n";
        sound = sound && proof.sound();
        judgements += proof.trials.size();
        blanks += proof.blanks.size();
    }
    if (context.options().timings) print_timings(proofs, work.spent);
    std::cout << fmt::format("{} problem{}, {} judgements in {:.1f} s, seed {}: {}\n", proofs.size(),
                             proofs.size() == 1 ? "" : "s", judgements,
                             std::chrono::duration<double>(Clock::now() - start).count(), work.seed,
                             verify::soundness(sound, blanks));
    return sound ? ExitCode::accepted : ExitCode::content;
}

} // namespace app
