#include "exports/graded_class.h"

#include "build/digest.h"

#include <algorithm>
#include <numeric>

namespace exports {

double weight_of(const GradedClass& graded, std::size_t problem) {
    const auto& problems = graded.assignment.problems;
    const double all =
        std::accumulate(problems.begin(), problems.end(), 0.0,
                        [](double sum, const coursework::AssignedProblem& one) { return sum + one.weight; });
    return problems[problem].weight / all;
}

std::string file_name_of(const std::string& student) {
    constexpr std::size_t max_bytes = 100;
    constexpr std::string_view allowed =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._@+-";
    std::string name = student.substr(0, max_bytes);
    std::ranges::replace_if(
        name, [&](char letter) { return allowed.find(letter) == std::string_view::npos; }, '_');
    if (!name.empty() && name.front() == '.') name.front() = '_';
    if (!name.empty() && name == student) return name;
    return name + "-" + build::Digest().add(student).hex().substr(0, 8);
}

std::string state_of(const gradebook::ProblemGrade& grade) {
    if (grade.judged != nullptr) return std::string(model::name(grade.judged->verdict));
    if (grade.work != nullptr) return std::string(gradebook::name(grade.work->state));
    return std::string(gradebook::name(grade.share ? gradebook::State::missing : gradebook::State::unclear));
}

} // namespace exports
