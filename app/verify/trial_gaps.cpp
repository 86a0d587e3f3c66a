#include "app/verify/trial_gaps.h"

#include "app/verify/witnesses.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>

namespace verify {
namespace {

using model::Verdict;

} // namespace

std::string first_trouble(const model::Judgement& judgement) {
    for (const model::Diagnostic& diagnostic : judgement.compile.diagnostics)
        if (diagnostic.severity == model::Severity::error)
            return fmt::format("line {}: {}", diagnostic.line, diagnostic.message);
    for (const model::TestResult& test : judgement.tests)
        if (test.verdict != Verdict::accepted)
            return fmt::format("{}: {} ({})", test.name, model::words(test.verdict), test.message);
    for (const model::SanitizerFinding& finding : judgement.sanitizer.findings)
        return kind_name(finding);
    return judgement.sanitizer.reason;
}

namespace {

std::vector<std::string> mistake_gaps(const model::Mistake& mistake, const model::Judgement& judgement) {
    std::vector<std::string> gaps;
    if (mistake.always.empty())
        gaps.emplace_back("fails no test for certain: kills.json has none that it always fails");
    std::set<std::string> found;
    for (const model::SanitizerFinding& finding : judgement.sanitizer.findings)
        found.insert(kind_name(finding));
    std::set<std::string> named;
    for (const model::FindingKind kind : mistake.finds)
        named.emplace(name(kind));
    if (!named.empty() && found != named)
        gaps.push_back(fmt::format("is found as {}, not as kills.json says", fmt::join(found, "; ")));
    if (judgement.diagnosis.empty() && is_nameable(judgement))
        gaps.emplace_back("is not recognised");
    else if (!judgement.diagnosis.empty() && judgement.diagnosis.front().mistake != mistake.name)
        gaps.push_back(fmt::format("is taken for {}", judgement.diagnosis.front().mistake));
    return gaps;
}

} // namespace

std::vector<std::string> gaps_of(const Trial& trial) {
    const Verdict verdict = trial.judgement.verdict;
    if (trial.role == Trial::Role::mistake) {
        if (verdict == Verdict::compile_error || verdict == Verdict::judge_error)
            return {fmt::format("{}: {}", model::words(verdict), first_trouble(trial.judgement))};
        return mistake_gaps(*trial.mistake, trial.judgement);
    }
    if (trial.role == Trial::Role::witness) return witness_gaps(*trial.witness, trial.judgement);
    const Verdict wanted = trial.role == Trial::Role::starter ? Verdict::not_implemented : Verdict::accepted;
    if (verdict == wanted) return {};
    return {fmt::format("should be {}, is {}: {}", model::words(wanted), model::words(verdict),
                        first_trouble(trial.judgement))};
}

std::vector<Contradiction> contradictions_of(const Trial& trial, std::uint64_t seed) {
    const Verdict verdict = trial.judgement.verdict;
    if (trial.role != Trial::Role::mistake || verdict == Verdict::compile_error ||
        verdict == Verdict::judge_error)
        return {};
    std::vector<std::string> ran;
    for (const model::TestResult& test : trial.judgement.tests)
        ran.push_back(test.name);
    const std::set<std::string> failed = failed_tests(trial.judgement);
    return contradictions(*trial.mistake, ran, {failed.begin(), failed.end()}, seed);
}

} // namespace verify
