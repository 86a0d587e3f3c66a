#include "app/commands.h"
#include "app/scaffold/editor.h"
#include "app/scaffold/scaffold.h"
#include "catalogue/collections.h"
#include "model/errors.h"

#include <algorithm>
#include <fmt/format.h>
#include <iostream>
#include <iterator>

namespace app {
namespace {

/// The collection that the author works on, or the current folder, which becomes one.
scaffold::Site site_of(const Context& context) {
    const build::Layout& own = context.layout();
    const auto index = context.content().authors;
    return {.collection = index ? catalogue::root_of(context.content().all[*index]) : context.here(),
            .templates = own.templates,
            .engine = {own.problems.parent_path(), own.exercises, own.reference, own.templates}};
}

} // namespace

ExitCode run_new(Context& context) {
    const std::string& id = context.options().ids.front();
    if (const catalogue::Content* const holder = catalogue::holder_of(context.content().all, id))
        throw model::UsageError("cannot make the problem " + id + ": " + (holder->problems / id).string() +
                                " exists already; choose another id");
    const scaffold::Site site = site_of(context);
    std::vector<std::filesystem::path> files = scaffold::make_problem(
        site, id, context.options().cuda ? model::Language::cuda : model::Language::cpp);
    std::ranges::move(scaffold::add_editor_files(site.collection, context.layout()),
                      std::back_inserter(files));
    for (const std::filesystem::path& file : files)
        std::cout << context.shown(file) << "\n";
    std::cout << fmt::format(
        "\n{0} is a small problem that works; it becomes yours as you fill in its blanks.\n"
        "Next: {1} lists the blanks; docs/authoring.md says how to fill them in.\n",
        id, context.call()("verify " + id));
    return ExitCode::accepted;
}

} // namespace app
