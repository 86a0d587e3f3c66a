#include "app/teaching/handing_in.h"

#include "app/submission.h"
#include "app/teaching/answers.h"
#include "build/file.h"
#include "intake/select.h"
#include "model/errors.h"

#include <algorithm>
#include <map>

namespace teaching {
namespace {

std::string hash_of_files(const std::vector<model::SourceFile>& files) {
    model::Submission submission;
    submission.files = files;
    return app::hash_of(submission);
}

bool is_starter(const model::Problem& problem, const std::vector<model::SourceFile>& files) {
    for (std::size_t i = 0; i < files.size(); ++i)
        if (build::read_file(problem.starters[i]) != files[i].text) return false;
    return true;
}

/// Which problem a file of this name belongs to; several problems may have one.
std::map<std::string, std::vector<std::string>> owners_of_files(const model::Curriculum& curriculum) {
    std::map<std::string, std::vector<std::string>> owners;
    for (const model::Problem& problem : curriculum.problems)
        for (const std::string& file : problem.files)
            owners[file].push_back(problem.id);
    return owners;
}

bool holds(const intake::Entry& entry, const model::Problem& problem,
           const std::map<std::string, std::vector<std::string>>& owners) {
    const std::filesystem::path path = entry.path;
    const std::string name = path.filename().string();
    if (std::ranges::find(problem.files, name) == problem.files.end()) return false;
    return path.parent_path().filename() == problem.id || owners.at(name).size() == 1;
}

/// The id that the gradebook knows the student by.
std::string student_of(const intake::Input& input, std::span<const coursework::Student> roster) {
    const auto known = coursework::find_student(roster, input.who);
    return known ? roster[*known].id : input.who.front();
}

void add_work(gradebook::Handed& handed, const model::Problem& problem, const intake::Selected& selected) {
    gradebook::Work work{problem.id};
    if (const auto* unclear = std::get_if<intake::Unclear>(&selected)) {
        work.state = gradebook::State::unclear;
        work.note = unclear->why;
    } else if (const auto* files = std::get_if<std::vector<model::SourceFile>>(&selected)) {
        work.state = is_starter(problem, *files) ? gradebook::State::starter : gradebook::State::waiting;
        work.hash = hash_of_files(*files);
        handed.files.emplace_back(work.hash, *files);
    }
    handed.attempt.works.push_back(std::move(work));
}

void add_answers(gradebook::Handed& handed, const model::Problem& problem, bool alone,
                 const std::vector<intake::Entry>& entries) {
    try {
        std::ranges::move(marked_answers(problem, alone, entries),
                          std::back_inserter(handed.attempt.answers));
    } catch (const model::ContentError& error) {
        handed.attempt.works.back().refused = error.what();
    }
}

} // namespace

Found find_submissions(const std::vector<std::string>& folders) {
    Found found;
    for (const std::string& folder : folders)
        std::ranges::move(intake::list_inputs(folder, found.ignored), std::back_inserter(found.inputs));
    return found;
}

std::vector<std::string> problems_in(const std::vector<intake::Input>& inputs,
                                     const model::Curriculum& curriculum) {
    const auto owners = owners_of_files(curriculum);
    std::vector<std::string> ids;
    std::vector<bool> found(curriculum.problems.size());
    for (const intake::Input& input : inputs)
        for (const intake::Entry& entry : intake::read_input(input).files)
            for (std::size_t i = 0; i < found.size(); ++i)
                found[i] = found[i] || holds(entry, curriculum.problems[i], owners);
    for (std::size_t i = 0; i < found.size(); ++i)
        if (found[i]) ids.push_back(curriculum.problems[i].id);
    return ids;
}

gradebook::Handed read_handed(const intake::Input& input, std::span<const model::Problem> problems,
                              std::span<const coursework::Student> roster) {
    const intake::Entries entries = intake::read_input(input);
    gradebook::Handed handed;
    handed.attempt.student = student_of(input, roster);
    handed.attempt.source = input.source;
    handed.attempt.submitted = entries.newest.value_or(coursework::Instant());
    handed.attempt.trouble = entries.trouble;
    if (!entries.trouble.empty()) return handed;
    for (const model::Problem& problem : problems) {
        add_work(handed, problem, intake::select_files(problem, problems, entries.files));
        add_answers(handed, problem, problems.size() == 1, entries.files);
    }
    return handed;
}

} // namespace teaching
