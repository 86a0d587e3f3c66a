#include "report/console.h"

#include "report/disclosure.h"
#include "report/kernels.h"
#include "report/page.h"
#include "report/words.h"

#include <fmt/format.h>

#include <algorithm>

namespace report {
namespace {

using model::Judgement;
using model::TestResult;
using model::Verdict;

constexpr std::size_t max_output_lines = 24;
constexpr std::size_t max_report_lines = 8;
constexpr std::size_t max_messages = 8;

Tone tone_of(Verdict verdict) {
    if (verdict == Verdict::accepted) return Tone::good;
    return verdict == Verdict::judge_error || verdict == Verdict::not_implemented ? Tone::warn : Tone::bad;
}

std::string_view mark_of(const Page& page, Verdict verdict) {
    switch (verdict) {
    case Verdict::accepted: return page.glyph("✓", "+");
    case Verdict::skipped: return page.glyph("·", ".");
    case Verdict::judge_error: return "!";
    case Verdict::not_implemented: return page.glyph("○", "o");
    default: return page.glyph("✗", "x");
    }
}

void heading(Page& page, const Judgement& judgement) {
    const std::string mark(mark_of(page, judgement.verdict));
    page.sentence(fmt::format("{} {} ({})", mark, headline(judgement), judgement.problem_id),
                  tone_of(judgement.verdict), 0, 2);
    page.sentence(judgement.summary, Tone::plain, 2);
}

/// What stands after the name: why it has no points, and that it is hidden.
std::string remark(const TestResult& test) {
    const bool hidden = test.visibility == model::Visibility::hidden;
    std::string words;
    if (test.verdict != Verdict::accepted) words = model::words(test.verdict);
    if (hidden) words = words.empty() ? "hidden" : "hidden, " + words;
    return words.empty() ? "" : " (" + words + ")";
}

void test_list(Page& page, const Judgement& judgement, bool with_durations) {
    if (judgement.tests.empty()) return;
    page.blank();
    if (const std::string words = nothing_ran(judgement); !words.empty()) {
        page.sentence(words, Tone::dim, 2);
        return;
    }
    for (const TestResult& test : judgement.tests) {
        const std::string points = test.verdict == Verdict::skipped ? "-" : number(test.points);
        std::string tail = fmt::format("{}/{}", points, number(test.max_points));
        if (with_durations) tail = fmt::format("{:>8}  {}", duration(test.duration), tail);
        const Tone tone = test.verdict == Verdict::skipped ? Tone::dim : tone_of(test.verdict);
        page.row(mark_of(page, test.verdict), tone, test.name + remark(test), tail);
    }
}

void printed(Page& page, const TestResult& test) {
    if (test.output.empty()) return;
    page.blank();
    page.rule("your code printed");
    page.verbatim(test.output, max_output_lines);
    page.rule();
}

void failing_test(Page& page, const TestResult& test) {
    page.blank();
    page.sentence(test.name, Tone::strong);
    page.paragraph(test.message, Tone::plain, 2);
    if (test.mismatch) page.sentence(sentence(*test.mismatch), Tone::plain, 2, 2);
    if (!test.hint.empty()) page.sentence("Hint: " + test.hint, Tone::plain, 2, 2);
    if (test.message.empty() && !test.mismatch && test.hint.empty())
        page.sentence("This test tells only its verdict.", Tone::plain, 2);
}

void only_hidden_fail(Page& page, const Judgement& judgement) {
    if (std::none_of(judgement.tests.begin(), judgement.tests.end(), failed)) return;
    page.blank();
    page.sentence("Only hidden tests fail. They try what the statement says with other shapes and values.",
                  Tone::plain, 2);
    for (const TestResult& test : judgement.tests)
        if (failed(test) && !test.hint.empty()) {
            page.sentence("Hint: " + test.hint, Tone::plain, 2, 2);
            return;
        }
}

/// The first visible test that fails, or all of them.
std::vector<const TestResult*> tests_to_explain(const Judgement& judgement, bool all) {
    std::vector<const TestResult*> chosen;
    for (const TestResult& test : judgement.tests)
        if (failed(test) && test.visibility == model::Visibility::visible && (all || chosen.empty()))
            chosen.push_back(&test);
    return chosen;
}

void named_mistake(Page& page, const Judgement& judgement) {
    if (judgement.diagnosis.empty()) return;
    const model::Diagnosis& best = judgement.diagnosis.front();
    page.blank();
    page.sentence((best.certain ? "It looks like: " : "Part of it looks like: ") + best.says, Tone::warn, 2,
                  2);
    if (!best.hint.empty()) page.sentence("Try: " + best.hint, Tone::plain, 2, 2);
}

void failing_calls(Page& page, const Judgement& judgement) {
    for (const model::FailingCalls& calls : judgement.failing_calls) {
        page.blank();
        page.sentence(sentence(calls), Tone::warn, 2, 2);
    }
}

Tone tone_of(model::Severity severity) {
    switch (severity) {
    case model::Severity::error: return Tone::bad;
    case model::Severity::warning: return Tone::warn;
    default: return Tone::dim;
    }
}

/// "there/lookup.cpp:3:4: error: A semicolon is missing …", which editors find their way by, then the line
/// and a mark. The compiler's own words come where we have none, or with `verbose`.
void compiler_message(Page& page, const model::Diagnostic& diagnostic, bool verbose) {
    const std::string where = place(diagnostic.file, diagnostic.line, diagnostic.column);
    const std::string label =
        fmt::format("{}{}{}:", where, where.empty() ? "" : ": ", name(diagnostic.severity));
    const bool plain_words = !diagnostic.explanation.empty();
    const Tone tone = tone_of(diagnostic.severity);
    page.blank();
    page.labelled(label, tone, plain_words ? diagnostic.explanation : diagnostic.message, 2, 2);
    if (diagnostic.source.find_first_not_of(" \t") != std::string::npos)
        page.source_line(diagnostic.source, diagnostic.column, tone, 4);
    if (plain_words && verbose) page.paragraph(diagnostic.message, Tone::dim, 4);
}

void compiler_messages(Page& page, const std::vector<model::Diagnostic>& diagnostics, bool verbose) {
    const std::size_t shown = std::min(diagnostics.size(), max_messages);
    for (std::size_t i = 0; i < shown; ++i)
        compiler_message(page, diagnostics[i], verbose);
    if (shown < diagnostics.size()) {
        page.blank();
        page.sentence(count(diagnostics.size() - shown, "more message") +
                          "; the first is the one to look at.",
                      Tone::dim, 2);
    }
}

void sanitizer_findings(Page& page, const model::SanitizerResult& sanitizer, const std::string& explained) {
    if (sanitizer.findings.empty()) return;
    const model::SanitizerFinding& finding = sanitizer.findings.front();
    page.blank();
    const std::string where = place(finding.file, finding.line, 0);
    page.sentence(fmt::format("Memory check: {}{}{}", kind_name(finding), where.empty() ? "" : " at ", where),
                  Tone::bad, 2, 2);
    page.sentence(finding_words(finding), Tone::plain, 4);
    if (!finding.test.empty() && finding.test != explained)
        page.sentence("Seen in the test: " + finding.test, Tone::plain, 4, 2);
    if (!finding.text.empty()) {
        page.blank();
        page.rule("the sanitizer's report");
        page.verbatim(finding.text, max_report_lines, Tone::dim);
        page.rule();
    }
    const std::size_t more = sanitizer.findings.size() - 1;
    if (more > 0) page.sentence(fmt::format("and {}", count(more, "more finding")), Tone::dim, 4);
}

void questions(Page& page, const std::vector<model::Question>& list) {
    if (list.empty()) return;
    page.blank();
    page.sentence(list.size() == 1 ? "A question about what you built" : "Questions about what you built",
                  Tone::strong);
    for (std::size_t i = 0; i < list.size(); ++i) {
        const model::Question& question = list[i];
        page.blank();
        page.paragraph(fmt::format("{}. {}", i + 1, question.prompt), Tone::plain, 2, 3);
        if (!question.unit.empty())
            page.sentence(fmt::format("(answer in {})", question.unit), Tone::plain, 5);
        char label = 'a';
        for (const model::Option& option : question.options)
            page.sentence(fmt::format("{}) {}", label++, option.text), Tone::plain, 5, 3);
        label = '1';
        for (const model::Option& match : question.matches)
            page.sentence(fmt::format("{}) {}", label++, match.text), Tone::plain, 5, 3);
    }
}

void circumstances(Page& page, const Judgement& judgement, bool with_timings) {
    const std::string dot = fmt::format(" {} ", page.glyph("·", "|"));
    std::string line = judgement.graded ? "graded" : "practice run";
    if (judgement.attempt > 0) line += fmt::format("{}attempt {}", dot, judgement.attempt);
    line += fmt::format("{}isolation {}{}seed {}", dot, name(judgement.isolation.level), dot, judgement.seed);
    if (judgement.device != "cpu") line += dot + judgement.device;
    if (judgement.nvcc_compiled) line += dot + "compiled by " + judgement.toolchain.nvcc + " too";
    page.blank();
    if (judgement.graded && !judgement.sanitizer.ran && !judgement.sanitizer.reason.empty())
        page.sentence("The memory checks did not run: " + judgement.sanitizer.reason, Tone::dim);
    if (judgement.graded && judgement.device == "emulated" && judgement.compile.ok &&
        !judgement.nvcc_compiled)
        page.sentence(judgement.toolchain.nvcc.empty()
                          ? "There is no nvcc here, so only the emulator has compiled the file."
                          : judgement.toolchain.nvcc +
                                " does not work here, so only the emulator has compiled the file.",
                      Tone::dim);
    page.sentence(line, Tone::dim);
    if (judgement.justification) page.sentence(sentence(*judgement.justification), Tone::dim);
    if (!with_timings) return;
    const model::Timing& timing = judgement.timing;
    const std::string build = timing.cached ? "compile and link from the cache"
                                            : fmt::format("compile {}{}link {}", duration(timing.compile),
                                                          dot, duration(timing.link));
    page.sentence(
        fmt::format("{}{}run {}{}total {}", build, dot, duration(timing.run), dot, duration(timing.total)),
        Tone::dim);
}

} // namespace

std::string render_console(const Judgement& judgement, const ConsoleStyle& style) {
    const Judgement shown = disclosed(judgement);
    const int width = std::clamp(style.width, 40, 100);
    Page page({.colour = style.colour, .width = width, .unicode = style.unicode});

    heading(page, shown);
    test_list(page, shown, style.verbose);
    const std::vector<const TestResult*> explained = tests_to_explain(shown, style.verbose);
    for (const TestResult* test : explained)
        failing_test(page, *test);
    if (explained.empty()) only_hidden_fail(page, shown);
    named_mistake(page, shown);
    failing_calls(page, shown);
    compiler_messages(page, shown.compile.diagnostics, style.verbose);
    if (shown.device != "emulated")
        sanitizer_findings(page, shown.sanitizer, explained.empty() ? "" : explained.front()->name);
    else
        kernel_findings(page, shown.sanitizer.findings);
    kernel_traffic(page, shown.traffic);
    for (const TestResult& test : shown.tests)
        if (style.verbose || (!explained.empty() && &test == explained.front())) printed(page, test);
    if (style.questions) questions(page, shown.questions);
    circumstances(page, shown, style.timings);
    if (!shown.next.empty()) {
        page.blank();
        page.sentence(std::string(page.glyph("→", "->")) + " " + shown.next, Tone::strong, 0, 2);
    }
    return std::move(page).text();
}

} // namespace report
