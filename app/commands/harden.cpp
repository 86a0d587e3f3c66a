#include "app/commands.h"
#include "app/harden/search.h"
#include "app/interrupts.h"
#include "app/judging.h"
#include "app/newest.h"
#include "app/observation.h"
#include "app/repairs.h"
#include "app/submission.h"
#include "app/voice.h"
#include "app/written_test.h"
#include "kit/kits.h"
#include "model/errors.h"
#include "terminal/progress.h"
#include "text/clean.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <future>
#include <iostream>
#include <random>

namespace app {
namespace {

/// After so long no further change is tried.
constexpr std::chrono::milliseconds max_time{4000};

std::set<std::string> texts_of(const std::vector<store::Plant>& plants) {
    std::set<std::string> texts;
    for (const store::Plant& plant : plants)
        texts.insert(plant.text);
    return texts;
}

/// A bug in the learner's own program; nothing where none is found, or the program is not right any more.
std::optional<store::Plant> plant_in(const Context& context, const model::Problem& problem,
                                     const std::string& program, const std::set<std::string>& avoided,
                                     std::uint64_t seed) {
    const Interrupts interrupts;
    const std::shared_future<model::Isolation> isolation = std::async(std::launch::async, [&] {
        return observe_or_remember(context.layout().canary, build::default_cache_folder() / "isolation.json");
    });
    terminal::Progress progress(std::cerr, context.err().is_terminal, context.err().columns);
    const build::Workshop workshop(context.building_layout(), voice_of(context, progress));
    const kit::Kits kits(workshop);
    const kit::Kit kit(kits, problem, interrupts.fd());
    kit.driver(); // which the first use of a problem may have to make: that is no part of the search
    progress.show("planting a bug");
    // A seed that was given has one answer, however long it takes.
    const auto time = context.options().seed ? std::nullopt : std::optional(max_time);
    const harden::Search search =
        harden::plant({workshop, problem, kit, isolation, interrupts.fd()}, program, avoided, seed, time);
    progress.clear();
    if (!search.right)
        context.warn("your program does not pass the visible tests any more, so this one is from the course");
    else if (!search.planted)
        context.warn("your program offers no new place for a bug, so here is one from the course");
    if (!search.planted) return std::nullopt;
    return store::Plant{problem.files.front(), search.planted->program, search.planted->symptom};
}

/// One of the problem's mistakes: one that was not handed out, and that the worked example does not show,
/// where there is such a one.
std::optional<store::Plant> known_mistake(const model::Problem& problem, const std::set<std::string>& avoided,
                                          std::uint64_t seed) {
    std::vector<const model::Mistake*> mistakes;
    for (const model::Mistake& mistake : problem.mistakes)
        mistakes.push_back(&mistake);
    std::mt19937_64 random(seed);
    std::ranges::shuffle(mistakes, random);
    const std::string& example = harden::example(problem).name;
    std::ranges::stable_sort(mistakes, {}, [&](const model::Mistake* mistake) {
        const bool shown = std::ranges::find(mistake->always, example) != mistake->always.end();
        return 2 * static_cast<int>(avoided.contains(mistake->program)) + static_cast<int>(shown);
    });
    if (mistakes.empty()) return std::nullopt;
    return store::Plant{problem.files.front(), mistakes.front()->program, mistakes.front()->symptom};
}

void tell(const Context& context, const model::Problem& problem, const store::Plant& plant) {
    const std::string file = context.shown(repair_folder(context, problem.id) / plant.file);
    std::string symptom;
    for (const char letter : plant.symptom)
        symptom += letter == '\n' ? std::string("\n  ") : std::string(1, letter);
    std::cout << context.fitted(fmt::format(
        "{} has one bug. A user reports:\n\n  {}\n\nFind it and repair it there, then: {}\nTry it as often "
        "as you like: {}\n",
        file, text::printable(symptom), context.call()("submit-fix " + problem.id),
        context.call()("test " + problem.id + " --from " + file)));
}

} // namespace

ExitCode run_harden(Context& context) {
    const model::Problem problem = context.problem(named_or_newest_accepted(context));
    store::Store* const store = context.progress();
    if (store == nullptr || !store->progress(problem.id).accepted)
        throw model::UsageError("a bug is planted in " + problem.id + " once your own program is accepted: " +
                                context.call()("submit-build " + problem.id));
    if (context.options().write_test) return try_written_test(context, problem, *store);
    const std::vector<store::Plant> before = store->plants(problem.id);
    if (!before.empty() && !before.front().repaired && !context.options().anew) {
        if (!std::filesystem::exists(repair_folder(context, problem.id) / before.front().file))
            hand_out(context, problem, before.front());
        tell(context, problem, before.front());
        return ExitCode::accepted;
    }

    const std::uint64_t seed = context.options().seed.value_or(fresh_seed());
    const std::set<std::string> avoided = texts_of(before);
    std::optional<store::Plant> plant;
    if (!context.options().known) {
        auto read = read_submission(context, problem);
        if (const auto* submission = std::get_if<model::Submission>(&read))
            plant = plant_in(context, problem, submission->files.front().text, avoided, seed);
        else
            context.warn(std::get<Unreadable>(read).why + ", so this bug is from the course");
    }
    if (!plant) plant = known_mistake(problem, avoided, seed);
    if (!plant)
        throw model::UsageError("there is no bug to hand out for " + problem.id +
                                ": none was found for your program, and the problem has no known mistakes");
    store->record_plant(problem.id, *plant);
    hand_out(context, problem, *plant);
    tell(context, problem, *plant);
    return ExitCode::accepted;
}

} // namespace app
