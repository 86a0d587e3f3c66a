#include "app/commands.h"
#include "app/interrupts.h"
#include "app/scaffold/editor.h"
#include "app/voice.h"
#include "build/workshop.h"
#include "catalogue/content.h"
#include "kit/kit.h"
#include "model/errors.h"
#include "terminal/progress.h"

#include <fmt/format.h>
#include <iostream>

namespace app {
namespace {

std::vector<std::string> ids_to_prepare(const Context& context) {
    if (!context.options().all)
        return context.options().ids.empty() ? std::vector{context.problem_id()} : context.problem_ids();
    std::vector<std::string> ids;
    for (const model::Problem& problem : context.curriculum().problems)
        ids.push_back(problem.id);
    return ids;
}

/// In a clone of a collection the links to this engine's headers are missing. Preparing does not need them.
void prepare_editors(const Context& context) {
    const auto authors = context.content().authors;
    if (!authors || *authors == 0) return; // the engine's own folders have theirs
    try {
        scaffold::add_editor_files(catalogue::root_of(context.content().all[*authors]), context.layout());
    } catch (const model::EnvironmentError& error) {
        context.warn(error.what());
    }
}

/// A problem, and what it is judged with; nothing where the package is broken.
struct Prepared {
    std::string id;
    std::unique_ptr<kit::Kit> kit;
};

/// Says what is wrong with a package; the others can be prepared all the same.
ExitCode refuse(const Context& context, const model::ContentError& error) {
    context.warn(error.what());
    return ExitCode::content;
}

} // namespace

ExitCode run_prepare(Context& context) {
    const std::vector<std::string> ids = ids_to_prepare(context);
    prepare_editors(context);
    const Interrupts interrupts;
    terminal::Progress progress(std::cerr, context.err().is_terminal, context.err().columns);
    const build::Workshop workshop(context.building_layout(), voice_of(context, progress));
    const kit::Kits kits(workshop);
    ExitCode code = ExitCode::accepted;
    std::vector<Prepared> prepared;
    for (const std::string& id : ids) {
        try {
            prepared.push_back({id, std::make_unique<kit::Kit>(kits, context.problem(id), interrupts.fd())});
        } catch (const model::ContentError& error) {
            code = refuse(context, error);
        }
    }
    for (const Prepared& each : prepared) {
        try {
            each.kit->wait();
            if (context.options().system) each.kit->publish();
            progress.clear();
            std::cout << each.id << ": ready\n" << std::flush;
        } catch (const model::ContentError& error) {
            progress.clear();
            code = refuse(context, error);
        }
    }
    return code;
}

} // namespace app
