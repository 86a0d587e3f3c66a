#include "app/teaching/session.h"

#include "app/judging.h"
#include "app/log.h"
#include "app/teaching/handing_in.h"
#include "app/teaching/local_pool.h"
#include "app/teaching/slurm.h"
#include "catalogue/document.h"
#include "catalogue/schema.h"
#include "model/errors.h"

#include <thread>

namespace teaching {
namespace {

namespace fs = std::filesystem;

catalogue::Schema schema_called(const app::Context& context, const char* file) {
    const fs::path& schemas = context.layout().schemas;
    return catalogue::Schema(catalogue::parse(catalogue::read_source(schemas / file, schemas)));
}

/// As an instructor would have written it.
std::string document_of(const std::vector<std::string>& problems) {
    catalogue::Json document{{"schema", "engine.assignment/1"}, {"problems", catalogue::Json::array()}};
    for (const std::string& id : problems)
        document["problems"].push_back({{"id", id}});
    return document.dump(2) + "\n";
}

catalogue::Source default_assignment(const app::Context& context, const std::vector<intake::Input>& inputs) {
    std::vector<std::string> ids = context.problem_ids();
    if (ids.empty()) ids = problems_in(inputs, context.curriculum());
    if (ids.empty())
        throw model::UsageError(
            "no submission has a file of a problem, as row.cpp or first-row/row.cpp; if the files "
            "have other names, say which problem they are for: --problem ID");
    return {"the assignment", document_of(ids)};
}

/// What the instructor wrote is no package: a fault in it is one of usage.
template <class Read>
auto read_own_file(Read read) {
    try {
        return read();
    } catch (const model::ContentError& error) {
        throw model::UsageError(error.what());
    }
}

} // namespace

fs::path gradebook_path(const std::string& named, const std::vector<std::string>& folders) {
    if (!named.empty()) return named;
    if (folders.empty())
        throw model::UsageError(
            "name the folder that the submissions are in, or a gradebook: --gradebook FILE");
    const fs::path folder = fs::absolute(folders.front()).lexically_normal();
    const fs::path name = folder.filename().empty() ? folder.parent_path().filename() : folder.filename();
    return name.string() + ".gradebook";
}

std::vector<coursework::Student> read_roster_option(const app::Context& context) {
    if (context.options().roster.empty()) return {};
    return read_own_file(
        [&] { return coursework::read_roster(catalogue::read_source(context.options().roster, {})); });
}

Assigned assignment_for(const app::Context& context, const std::optional<gradebook::Setup>& known,
                        const std::vector<intake::Input>& inputs) {
    const std::string& file = context.options().assignment;
    const catalogue::Source source = read_own_file([&]() -> catalogue::Source {
        if (!file.empty()) return catalogue::read_source(file, {});
        if (known && context.options().ids.empty()) return {"the gradebook's assignment", known->document};
        return default_assignment(context, inputs);
    });
    Assigned assigned = read_own_file([&] {
        return Assigned{coursework::read_assignment(source, schema_called(context, "assignment.schema.json")),
                        {source.text, known ? known->seed : app::fresh_seed()}};
    });
    if (assigned.assignment.on_gpu && context.options().require_isolation)
        throw model::UsageError(
            "CUDA runs on a GPU here, as the assignment says, and a worker with a GPU's driver has "
            "none of the levels A to D: leave out --require-isolation");
    return assigned;
}

app::ExitCode unless_interrupted(const std::function<app::ExitCode()>& work) {
    try {
        return work();
    } catch (const model::Interrupted&) {
        app::log::error("interrupted; what was judged is kept, and the next run goes on from there");
        return app::ExitCode::interrupted;
    }
}

std::unique_ptr<Executor> make_executor(const app::Context& context, const ClassJudge& judge,
                                        const fs::path& gradebook, const coursework::Assignment& assignment,
                                        int cancel_fd) {
    const app::Options& options = context.options();
    if (options.slurm)
        return std::make_unique<Slurm>(context, gradebook.string() + ".slurm", assignment.cpu, cancel_fd);
    return std::make_unique<LocalPool>(judge, options.jobs.value_or(std::thread::hardware_concurrency() + 1));
}

catalogue::Schema report_schema(const app::Context& context) {
    return schema_called(context, "report.schema.json");
}

std::vector<model::Problem> assigned_problems(const app::Context& context,
                                              const coursework::Assignment& assignment) {
    std::vector<model::Problem> problems;
    for (const coursework::AssignedProblem& assigned : assignment.problems) {
        problems.push_back(context.problem(assigned.id));
        if (problems.back().id != assigned.id)
            throw model::UsageError("the assignment has the problem " + assigned.id + "; its id is " +
                                    problems.back().id);
        if (assignment.cpu) problems.back().limits.cpu = *assignment.cpu;
    }
    return problems;
}

} // namespace teaching
