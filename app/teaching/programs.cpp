#include "app/teaching/programs.h"

#include "app/teaching/handing_in.h"
#include "build/file.h"
#include "gradebook/grade.h"
#include "model/errors.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace teaching {
namespace {

namespace fs = std::filesystem;
using similarity::Origin;

void add(Programs& programs, const std::string& name, Origin origin,
         const std::vector<model::SourceFile>& files) {
    similarity::Program program = similarity::read_program(name, origin, files);
    if (program.text.size() > similarity::max_program_bytes)
        programs.too_long.push_back(name);
    else
        programs.all.push_back(std::move(program));
}

std::vector<model::SourceFile> read_all(const std::vector<fs::path>& paths) {
    std::vector<model::SourceFile> files;
    files.reserve(paths.size());
    for (const fs::path& path : paths)
        files.push_back({path.filename().string(), build::read_file(path).value_or("")});
    return files;
}

bool has_program(const gradebook::Work& work) {
    return work.state == gradebook::State::judged || work.state == gradebook::State::waiting ||
           work.state == gradebook::State::unjudged;
}

} // namespace

void add_course_programs(Programs& programs, const model::Problem& problem) {
    add(programs, "the starter", Origin::starter, read_all(problem.starters));
    add(programs, "the course's reference", Origin::course, read_all(problem.reference));
    for (const fs::path& variant : problem.accepted)
        add(programs, "the course's " + variant.filename().string(), Origin::course, read_all({variant}));
}

void add_class_programs(Programs& programs, const std::string& problem, const gradebook::Gradebook& from,
                        const gradebook::Book& named, const coursework::Assignment& assignment) {
    std::map<gradebook::Id, std::string> names;
    for (const gradebook::Attempt& attempt : named.attempts)
        names[attempt.id] = attempt.student;
    const gradebook::Book book = from.read();
    std::map<std::pair<std::string, std::string>, std::string> groups; // by place and files
    for (const auto& [attempt, work] : gradebook::needed_works(book, assignment)) {
        if (work->problem != problem || !has_program(*work)) continue;
        std::string& group = groups[{attempt->source, work->hash}];
        group += (group.empty() ? "" : " with ") + names.at(attempt->id);
    }
    for (const auto& [place, group] : groups)
        add(programs, group, Origin::class_, from.files(place.second));
}

EarlierPrograms::EarlierPrograms(const fs::path& path, const std::vector<model::Problem>& problems,
                                 bool named) {
    if (fs::is_directory(path))
        read_folder(path, problems);
    else if (fs::exists(path))
        read_gradebook(path);
    else
        throw model::UsageError("--with " + path.string() + " does not exist; it is a gradebook or a folder");
    for (std::size_t i = 0; i < works_.size(); ++i)
        works_[i].name = named ? fmt::format("{} ({})", works_[i].name, path.filename().string())
                               : fmt::format("an earlier program, {}", i + 1);
}

void EarlierPrograms::read_gradebook(const fs::path& file) {
    const gradebook::Gradebook earlier = gradebook::Gradebook::open(file);
    for (const gradebook::Attempt& attempt : earlier.read().attempts)
        for (const gradebook::Work& work : attempt.works)
            if (has_program(work))
                works_.push_back({work.problem, attempt.student, earlier.files(work.hash)});
}

void EarlierPrograms::read_folder(const fs::path& folder, const std::vector<model::Problem>& problems) {
    for (const intake::Input& input : find_submissions({folder.string()}).inputs) {
        const gradebook::Handed handed = read_handed(input, problems, {});
        for (const gradebook::Work& work : handed.attempt.works) {
            if (!has_program(work)) continue;
            const auto files = std::ranges::find(
                handed.files, work.hash, &std::pair<std::string, std::vector<model::SourceFile>>::first);
            works_.push_back({work.problem, handed.attempt.student, files->second});
        }
    }
}

void EarlierPrograms::add_to(Programs& programs, const std::string& problem) const {
    for (const Work& work : works_)
        if (work.problem == problem) add(programs, work.name, Origin::earlier, work.files);
}

} // namespace teaching
