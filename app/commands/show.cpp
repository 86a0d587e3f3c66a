#include "app/commands.h"
#include "app/pager.h"
#include "app/statement.h"
#include "build/file.h"
#include "model/errors.h"
#include "text/nearest.h"

#include <chrono>
#include <fmt/format.h>
#include <optional>

namespace app {
namespace {

std::string bullets(const std::vector<std::string>& items) {
    std::string text;
    for (const std::string& item : items)
        text += "- " + item + "\n";
    return text;
}

/// What a submission may use, in one sentence.
std::string limits_text(const model::Limits& limits) {
    const double seconds = std::chrono::duration<double>(limits.wall).count();
    return fmt::format(
        "One call may take {} s of CPU time. Your program may use {} s of it in a test, {} MiB of "
        "memory and {} threads, and print {} KiB.\n",
        seconds, limits.cpu.count(), limits.memory_mib, limits.threads, limits.output_kib);
}

/// What a test demands of the memory traffic of its kernels, or nothing.
std::string traffic_text(const std::optional<model::TrafficLimits>& traffic) {
    std::string text;
    if (!traffic) return text;
    if (traffic->moved_at_most)
        text += fmt::format("; moves at most {} times the bytes that it needs", *traffic->moved_at_most);
    if (traffic->coalescing_at_least)
        text += fmt::format("; at least {} % of the bytes moved are asked for",
                            100 * *traffic->coalescing_at_least);
    if (traffic->bank_conflicts_at_most)
        text += fmt::format("; at most {} bank conflicts", *traffic->bank_conflicts_at_most);
    return text;
}

std::string tests_text(const model::Problem& problem) {
    std::string text;
    for (const model::TestSpec& test : problem.tests)
        text += fmt::format("- {} ({} point{}{}{})\n", test.name, test.points, test.points == 1 ? "" : "s",
                            test.visibility == model::Visibility::hidden ? ", hidden" : "",
                            traffic_text(test.traffic));
    return text;
}

std::string resources_text(const model::Problem& problem) {
    std::string text;
    for (const model::Resource& resource : problem.resources)
        text += fmt::format("- [{}]({}): {}\n", resource.title, resource.url, resource.why);
    return text;
}

/// The rules of all problems and of this one in docs/fine-print.md of its collection, or nothing.
std::string fine_print_of(const model::Problem& problem) {
    const auto file = problem.exercise.parent_path().parent_path() / "docs" / "fine-print.md";
    std::string text;
    for (const Section& section : split_statement(build::read_if_there(file)))
        if (section.title == "All problems" || section.title == problem.id)
            text += "**" + section.title + "**\n\n" + section.text;
    return text;
}

/// In at most three lines of 80 columns, as it follows the task on the first screen.
std::string file_text(const Context& context, const model::Problem& problem) {
    std::string files;
    for (const std::string& name : problem.files)
        files += (files.empty() ? "`" : ", `") + context.shown_file(problem, name) + "`";
    const std::string section = "show " + problem.id + " --section ";
    const std::string text = fmt::format("Write {}, next to `contract.h`. Try it with `{}`. ", files,
                                         context.call()("test " + problem.id));
    if (fine_print_of(problem).empty())
        return text + fmt::format("Limits: `{}`.\n", context.call()(section + "limits"));
    return text +
           fmt::format("Rare cases: `{}`; limits: `--section limits`.\n", context.call()(section + "fine"));
}

/// Statement and manifest: first what is to be done, with its example, then the rest.
std::vector<Section> sections_of(const Context& context, const model::Problem& problem) {
    std::vector<Section> sections = split_statement(problem.statement);
    sections.insert(sections.begin() + static_cast<std::ptrdiff_t>(count_of_task(sections)),
                    {"Your file", file_text(context, problem)});
    sections.push_back({"What you will be able to do", bullets(problem.objectives)});
    sections.push_back({"Words to know", bullets(problem.concepts)});
    sections.push_back({"Tests", tests_text(problem)});
    sections.push_back({"Limits", limits_text(problem.limits)});
    sections.push_back({"Read more", resources_text(problem)});
    return sections;
}

std::string fact_line(const model::Problem& problem) {
    return fmt::format("**{}**, difficulty {} of 5, about {} minutes\n\n", problem.id, problem.difficulty,
                       problem.minutes);
}

std::string markdown_of(const Section& section) {
    return section.title.empty() ? section.text : "## " + section.title + "\n\n" + section.text + "\n\n";
}

const Section& section_called(const std::vector<Section>& sections, const std::string& wanted) {
    if (const Section* found = find_section(sections, wanted)) return *found;
    std::vector<std::string> titles;
    std::string all;
    for (const Section& section : sections)
        if (!section.title.empty()) {
            titles.push_back(section.title);
            all += (all.empty() ? "" : ", ") + section.title;
        }
    const auto near = text::nearest(wanted, titles);
    throw model::UsageError("the task has no section called '" + wanted + "'" +
                            (near ? "; did you mean '" + *near + "'?" : "") + " It has: " + all);
}

/// Where the learner is, is part of the progress; without it the first problem is shown.
void find_place(Context& context) {
    if (!context.options().ids.empty()) return;
    try {
        context.current_id();
    } catch (const model::EnvironmentError& error) {
        context.warn(error.what());
        context.mean(context.curriculum().problems.front().id);
    }
}

} // namespace

ExitCode run_show(Context& context) {
    find_place(context);
    const model::Problem problem = context.problem();
    std::vector<Section> sections = sections_of(context, problem);
    const Options& options = context.options();
    std::string text;
    if (!options.section.empty()) {
        if (std::string fine_print = fine_print_of(problem); !fine_print.empty())
            sections.push_back({"Fine print", std::move(fine_print)});
        text = markdown_of(section_called(sections, options.section));
    } else {
        const std::size_t last = options.task ? count_of_task(sections) + 1 : sections.size();
        text = markdown_of(sections.front()) + "\n\n" + fact_line(problem);
        for (std::size_t i = 1; i < last; ++i)
            text += markdown_of(sections[i]);
    }
    show_in_pager(context, context.render_markdown(text));
    return ExitCode::accepted;
}

} // namespace app
