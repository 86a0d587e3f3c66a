#include "report/disclosure.h"

#include "report/words.h"

#include <algorithm>

namespace report {
namespace {

constexpr std::size_t max_diagnostics = 100;
constexpr std::size_t max_findings = 20;

model::Detail detail_of(const model::TestResult& test) {
    return test.visibility == model::Visibility::hidden ? model::Detail::verdict : test.detail;
}

/// How much may be said about a sanitizer finding. A test that is not in the list counts as hidden.
model::Detail detail_of(const model::SanitizerFinding& finding, const std::vector<model::TestResult>& tests) {
    if (finding.test.empty()) return model::Detail::full;
    const auto test = std::find_if(tests.begin(), tests.end(), [&finding](const model::TestResult& each) {
        return each.name == finding.test;
    });
    return test == tests.end() ? model::Detail::verdict : detail_of(*test);
}

/// Where only hidden tests fail, their hints are all that a learner has to go by.
bool only_hidden_fail(const std::vector<model::TestResult>& tests) {
    return std::ranges::none_of(tests, [](const model::TestResult& test) {
        return failed(test) && test.visibility == model::Visibility::visible;
    });
}

void restrict_test(model::TestResult& test, bool keep_hint) {
    const model::Detail detail = detail_of(test);
    if (detail == model::Detail::full) return;
    if (test.verdict != model::Verdict::judge_error)
        test.message.clear(); // that one speaks of the judge alone
    test.output.clear();
    if (test.mismatch) test.mismatch->sample.reset();
    if (detail == model::Detail::mismatch) return;
    if (!keep_hint || test.visibility == model::Visibility::visible) test.hint.clear();
    test.mismatch.reset();
    test.place.reset();
}

void restrict_findings(std::vector<model::SanitizerFinding>& findings,
                       const std::vector<model::TestResult>& tests) {
    std::erase_if(findings, [&tests](const model::SanitizerFinding& finding) {
        return detail_of(finding, tests) == model::Detail::verdict;
    });
    for (model::SanitizerFinding& finding : findings)
        if (detail_of(finding, tests) != model::Detail::full) finding.text.clear();
    if (findings.size() > max_findings) findings.resize(max_findings);
}

std::vector<model::Option> without_answers(const std::vector<model::Option>& options) {
    std::vector<model::Option> open;
    open.reserve(options.size());
    for (const model::Option& option : options)
        open.push_back({.id = option.id, .text = option.text});
    return open;
}

model::Question without_answers(const model::Question& question) {
    model::Question open;
    open.id = question.id;
    open.kind = question.kind;
    open.concept_name = question.concept_name;
    open.prompt = question.prompt;
    open.unit = question.unit;
    open.options = without_answers(question.options);
    open.matches = without_answers(question.matches);
    return open;
}

void bound_diagnostics(std::vector<model::Diagnostic>& diagnostics) {
    if (diagnostics.size() <= max_diagnostics) return;
    const std::size_t left = diagnostics.size() - max_diagnostics;
    diagnostics.resize(max_diagnostics);
    model::Diagnostic& last = diagnostics.emplace_back();
    last.severity = model::Severity::note;
    last.message = count(left, "more message") + " left out";
}

} // namespace

model::Judgement disclosed(model::Judgement judgement) {
    restrict_findings(judgement.sanitizer.findings, judgement.tests);
    const bool keep_hints = only_hidden_fail(judgement.tests);
    for (model::TestResult& test : judgement.tests)
        restrict_test(test, keep_hints);
    bound_diagnostics(judgement.compile.diagnostics);
    if (!judgement.graded) judgement.questions.clear();
    for (model::Question& question : judgement.questions)
        question = without_answers(question);
    return judgement;
}

} // namespace report
