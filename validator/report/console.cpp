#include "report/console.h"

#include "model/shell_word.h"
#include "picture/blocks.h"
#include "report/details.h"
#include "report/difference.h"
#include "report/disclosure.h"
#include "report/kernels.h"
#include "report/page.h"
#include "report/test_lines.h"
#include "report/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace report {
namespace {

using model::Judgement;
using model::TestResult;
using model::Verdict;

constexpr std::size_t max_output_lines = 24;
constexpr std::size_t max_report_lines = 8;
constexpr std::size_t max_messages = 3;

void course_lines(Page& page, const Course& course) {
    const std::string done = fmt::format("{} of {} problems accepted", course.accepted, course.problems);
    page.sentence(page.plain() ? done + "."
                               : bar(course.accepted, course.problems, 20, page.unicode()) + " " + done,
                  Tone::plain, 2);
    page.sentence(course.next.empty() ? "That was the last one: all are accepted. Well done."
                                      : "Next: " + course.next,
                  Tone::plain, 2, 2);
}

void heading(Page& page, const Judgement& judgement, const std::optional<Course>& course) {
    const std::string mark(mark_of(page, judgement.verdict));
    page.blank();
    page.sentence(
        fmt::format("{}{}{} ({})", mark, mark.empty() ? "" : " ", headline(judgement), judgement.problem_id),
        tone_of(judgement.verdict), 0, 2);
    page.sentence(judgement.summary, Tone::plain, 2);
    if (course && judgement.graded && judgement.verdict == Verdict::accepted) course_lines(page, *course);
}

void printed(Page& page, const TestResult& test) {
    if (test.output.empty()) return;
    page.blank();
    page.rule("your code printed");
    page.verbatim(test.output, max_output_lines);
    page.rule();
}

/// Of several wrong elements, since a sentence shows one.
void small_picture(Page& page, const model::Mismatch& mismatch, const ConsoleStyle& style, int width) {
    if (mismatch.different < 2) return;
    auto figure = difference_of(mismatch);
    if (!figure) return;
    figure->title.clear(); // the sentence above names it
    page.ready(picture::blocks(*figure, {.width = width, .unicode = style.unicode, .plain = style.plain}, 4));
}

void failing_test(Page& page, const TestResult& test, const ConsoleStyle& style, int width) {
    page.blank();
    page.sentence(test.name, Tone::strong);
    page.paragraph(test.message, Tone::plain, 2);
    if (test.mismatch) {
        page.sentence(sentence(*test.mismatch), Tone::plain, 2, 2);
        small_picture(page, *test.mismatch, style, width);
    }
    if (!test.hint.empty()) page.sentence("Hint: " + test.hint, Tone::plain, 2, 2);
    if (test.message.empty() && !test.mismatch && test.hint.empty())
        page.sentence("This test tells only its verdict.", Tone::plain, 2);
}

void only_hidden_fail(Page& page, const Judgement& judgement) {
    const auto visible = [](const TestResult& test) {
        return failed(test) && test.visibility == model::Visibility::visible;
    };
    if (std::ranges::none_of(judgement.tests, failed) || std::ranges::any_of(judgement.tests, visible))
        return;
    page.blank();
    page.sentence(
        "All visible tests pass. The hidden tests check the same rules with other sizes and values.",
        Tone::plain, 2);
    for (const TestResult& test : judgement.tests)
        if (failed(test) && !test.hint.empty()) {
            page.sentence("Hint: " + test.hint, Tone::plain, 2, 2);
            return;
        }
}

/// The command that tests the same file.
std::string again(const Judgement& judgement) {
    return fmt::format("{} test {}{}", judgement.call, judgement.problem_id,
                       judgement.from.empty() ? "" : " --from " + model::shell_word(judgement.from));
}

/// What is explained: a test that failed, and that may be spoken of.
bool explainable(const TestResult& test) {
    return failed(test) && test.visibility == model::Visibility::visible &&
           test.verdict != Verdict::not_implemented;
}

/// The first visible test that fails, or all of them.
std::vector<const TestResult*> tests_to_explain(const Judgement& judgement, bool all) {
    std::vector<const TestResult*> chosen;
    for (const TestResult& test : judgement.tests)
        if (explainable(test) && (all || chosen.empty())) chosen.push_back(&test);
    return chosen;
}

/// How to see the failing tests that are not explained.
void the_rest(Page& page, const Judgement& judgement, std::size_t explained) {
    const auto all = static_cast<std::size_t>(std::ranges::count_if(judgement.tests, explainable));
    if (all <= explained) return;
    page.blank();
    const std::size_t more = all - explained;
    page.sentence(fmt::format("{} {}; to see {}: {} -v", count(more, "more test"),
                              more == 1 ? "fails" : "fail", more == 1 ? "it" : "them", again(judgement)),
                  Tone::plain, 2, 2);
}

/// "lookup is not implemented yet", once a function.
void not_implemented(Page& page, const Judgement& judgement) {
    std::set<std::string> said;
    for (const TestResult& test : judgement.tests) {
        const std::string first = test.message.substr(0, test.message.find('\n'));
        if (test.verdict != Verdict::not_implemented || first.empty() || !said.insert(first).second) continue;
        if (said.size() == 1) page.blank();
        page.sentence(first, Tone::plain, 2, 2);
    }
}

void named_mistake(Page& page, const Judgement& judgement) {
    if (judgement.diagnosis.empty()) return;
    const model::Diagnosis& best = judgement.diagnosis.front();
    page.blank();
    page.labelled(best.certain ? "It looks like:" : "Part of it looks like:", Tone::strong, best.says, 2, 2);
    if (!best.hint.empty()) page.labelled("Try:", Tone::strong, best.hint, 2, 2);
}

void failing_calls(Page& page, const Judgement& judgement) {
    for (const model::FailingCalls& calls : judgement.failing_calls) {
        page.blank();
        page.sentence(sentence(calls), Tone::plain, 2, 2);
    }
}

/// "there/lookup.cpp:3:4: error: A semicolon is missing …", which editors find their way by, then the line
/// and a mark. The compiler's own words come where we have none, or with `verbose`.
void compiler_message(Page& page, const model::Diagnostic& diagnostic, bool verbose) {
    const std::string where = place(diagnostic.file, diagnostic.line, diagnostic.column);
    const std::string label =
        fmt::format("{}{}{}:", where, where.empty() ? "" : ": ", name(diagnostic.severity));
    const bool plain_words = !diagnostic.explanation.empty();
    page.blank();
    page.labelled(label, Tone::strong, plain_words ? diagnostic.explanation : diagnostic.message, 2, 2);
    if (diagnostic.source.find_first_not_of(" \t") != std::string::npos)
        page.source_line(diagnostic.source, diagnostic.column, Tone::strong, 4);
    if (plain_words && verbose) page.paragraph(diagnostic.message, Tone::plain, 4);
}

void compiler_messages(Page& page, const Judgement& judgement, bool verbose) {
    const std::vector<model::Diagnostic>& diagnostics = judgement.compile.diagnostics;
    const std::size_t shown = verbose ? diagnostics.size() : std::min(diagnostics.size(), max_messages);
    for (std::size_t i = 0; i < shown; ++i)
        compiler_message(page, diagnostics[i], verbose);
    if (shown < diagnostics.size()) {
        page.blank();
        page.sentence(count(diagnostics.size() - shown, "more message") +
                          "; the first is the one to look at. All of them: " + again(judgement) + " -v",
                      Tone::plain, 2, 2);
    }
}

void sanitizer_findings(Page& page, const model::SanitizerResult& sanitizer, const std::string& explained) {
    if (sanitizer.findings.empty()) return;
    const model::SanitizerFinding& finding = sanitizer.findings.front();
    page.blank();
    std::string where = place(finding.file, finding.line, 0);
    if (!where.empty()) where = " at " + where;
    if (finding.other_line > 0)
        where += finding.other_line == finding.line ? ", in both threads"
                                                    : fmt::format(" and line {}", finding.other_line);
    page.sentence(fmt::format("The {} found: {}{}", check_name(finding), kind_name(finding), where),
                  Tone::strong, 2, 2);
    page.sentence(finding_words(finding), Tone::plain, 4);
    if (!finding.test.empty() && finding.test != explained)
        page.sentence("Seen in the test: " + finding.test, Tone::plain, 4, 2);
    if (!finding.text.empty()) {
        page.blank();
        page.rule("the sanitizer's report");
        page.verbatim(finding.text, max_report_lines, Tone::plain);
        page.rule();
    }
    const std::size_t more = sanitizer.findings.size() - 1;
    if (more > 0) page.sentence(fmt::format("and {}", count(more, "more finding")), Tone::plain, 4);
}

/// All that other formats know, for `-v`.
void all_details(Page& page, const Judgement& judgement) {
    for (const Detail& detail : details(judgement)) {
        page.blank();
        page.rule(detail.title);
        page.paragraph(detail.text, Tone::plain, 2, 2);
    }
}

std::string words_for_device(const Judgement& judgement) {
    if (!judgement.gpu) return judgement.device;
    const model::Gpu& gpu = judgement.gpu->gpu;
    const auto& sanitizer = judgement.gpu->compute_sanitizer;
    return fmt::format(
        "emulated and on {} (driver {}, compute capability {}{})", gpu.name, gpu.driver, gpu.capability,
        sanitizer && !sanitizer->ran.empty() ? ", compute-sanitizer " + sanitizer->version : "");
}

/// What a graded result rests on; a practice run says it only if it is asked for details.
void circumstances(Page& page, const Judgement& judgement, const ConsoleStyle& style) {
    const std::string dot = page.plain() ? ", " : fmt::format(" {} ", page.glyph("·", "|"));
    std::string line(thoroughness(judgement));
    if (judgement.attempt > 0) line += fmt::format("{}attempt {}", dot, judgement.attempt);
    if (judgement.graded || style.verbose)
        line +=
            fmt::format("{}isolation {}{}seed {}", dot, name(judgement.isolation.level), dot, judgement.seed);
    if (judgement.device != "cpu") line += dot + words_for_device(judgement);
    if (judgement.nvcc_compiled) line += dot + "compiled by " + judgement.toolchain.nvcc + " too";
    page.blank();
    if (judgement.graded && !judgement.sanitizer.ran && !judgement.sanitizer.reason.empty())
        page.sentence("The memory checks did not run: " + judgement.sanitizer.reason, Tone::plain);
    if (!judgement.sanitizer.races_reason.empty())
        page.sentence("Your code starts threads. Data races were not looked for: " +
                          judgement.sanitizer.races_reason,
                      Tone::plain);
    if (judgement.gpu) page.sentence(sentence(judgement.gpu->compute_sanitizer), Tone::plain);
    if (judgement.graded && judgement.device == "emulated" && judgement.compile.ok &&
        !judgement.nvcc_compiled)
        page.sentence(judgement.toolchain.nvcc.empty()
                          ? "There is no nvcc here, so only the emulator has compiled the file."
                      : !judgement.toolchain.no_nvcc.empty()
                          ? "Only the emulator has compiled the file: " + judgement.toolchain.no_nvcc + "."
                          : judgement.toolchain.nvcc +
                                " does not work here, so only the emulator has compiled the file.",
                      Tone::plain);
    page.sentence(line, Tone::plain);
    if (judgement.justification) page.sentence(sentence(*judgement.justification), Tone::plain);
    if (!style.timings) return;
    const model::Timing& timing = judgement.timing;
    const std::string build = timing.cached ? "compile and link from the cache"
                                            : fmt::format("compile {}{}link {}", duration(timing.compile),
                                                          dot, duration(timing.link));
    page.sentence(fmt::format("{}{}run {} ({} calls){}total {}", build, dot, duration(timing.run),
                              timing.calls, dot, duration(timing.total)),
                  Tone::plain);
}

} // namespace

std::string render_console(const Judgement& judgement, const ConsoleStyle& style) {
    const Judgement shown = disclosed(judgement);
    const int width = std::clamp(style.width, 40, 100);
    Page page({.colour = style.colour, .width = width, .unicode = style.unicode, .plain = style.plain});

    if (!style.verdict_last) heading(page, shown, style.course);
    page.blank();
    test_lines(page, shown, style.verbose);
    const std::vector<const TestResult*> explained = tests_to_explain(shown, style.verbose);
    for (const TestResult* test : explained)
        failing_test(page, *test, style, width);
    if (explained.empty()) only_hidden_fail(page, shown);
    not_implemented(page, shown);
    named_mistake(page, shown);
    failing_calls(page, shown);
    compiler_messages(page, shown, style.verbose);
    if (shown.device != "emulated" && shown.device != "cuda")
        sanitizer_findings(page, shown.sanitizer, explained.empty() ? "" : explained.front()->name);
    else
        kernel_findings(page, shown.sanitizer.findings);
    kernel_traffic(page, shown.traffic);
    for (const TestResult& test : shown.tests)
        if (style.verbose || (!explained.empty() && &test == explained.front())) printed(page, test);
    the_rest(page, shown, explained.size());
    if (style.verbose) all_details(page, shown);
    circumstances(page, shown, style);
    if (style.verdict_last) heading(page, shown, style.course);
    page.next_step(shown.next);
    return std::move(page).text();
}

} // namespace report
