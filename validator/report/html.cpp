#include "report/html.h"

#include "picture/page.h"
#include "report/details.h"
#include "report/difference.h"
#include "report/disclosure.h"
#include "report/escape.h"
#include "report/words.h"

#include <fmt/format.h>

namespace report {
namespace {

using model::Judgement;
using model::TestResult;

/// A sentence, or nothing where there is none.
std::string paragraph(std::string_view text, std::string_view attributes = "") {
    if (text.empty()) return {};
    return fmt::format("<p{}>{}</p>\n", attributes, html(text, limit::sentence));
}

std::string preformatted(std::string_view text, std::size_t bytes) {
    return text.empty() ? "" : fmt::format("<pre>{}</pre>\n", xml(text, bytes, Lines::keep));
}

std::string folded(std::string_view title, std::string_view text) {
    if (text.empty()) return {};
    return fmt::format("<details><summary>{}</summary>{}</details>\n", html(title, limit::name),
                       preformatted(text, limit::output));
}

std::string heading_of(const Judgement& judgement) {
    const bool good = judgement.verdict == model::Verdict::accepted;
    return fmt::format("<p class=\"{}\"><strong>{}</strong></p>\n", good ? "good" : "bad",
                       html(headline(judgement), limit::sentence)) +
           paragraph(judgement.summary) + paragraph(judgement.next, " class=\"next\"");
}

std::string named_mistake(const Judgement& judgement) {
    if (judgement.diagnosis.empty()) return {};
    const model::Diagnosis& best = judgement.diagnosis.front();
    std::string text = fmt::format("<section><h2>{}</h2>\n",
                                   best.certain ? "What it looks like" : "What a part of it looks like");
    text += paragraph(best.says) + paragraph(best.hint.empty() ? "" : "Try: " + best.hint);
    return text + "</section>\n";
}

std::string compiler_messages(const Judgement& judgement) {
    if (judgement.compile.diagnostics.empty()) return {};
    std::string text = "<section><h2>What the compiler says</h2>\n";
    for (const model::Diagnostic& diagnostic : judgement.compile.diagnostics) {
        const std::string where = place(diagnostic.file, diagnostic.line, diagnostic.column);
        text += paragraph(fmt::format("{}{}{}", where, where.empty() ? "" : " ", name(diagnostic.severity)),
                          " class=\"soft\"");
        text += paragraph(diagnostic.explanation) + preformatted(diagnostic.source, limit::sentence) +
                preformatted(diagnostic.message, limit::sentence);
    }
    return text + "</section>\n";
}

std::string memory_findings(const Judgement& judgement) {
    std::string text;
    for (const model::SanitizerFinding& finding : judgement.sanitizer.findings) {
        const std::string where = place(finding.file, finding.line, 0);
        text += paragraph(fmt::format("{}{}{}", kind_name(finding), where.empty() ? "" : " at ", where));
        text += paragraph(finding_words(finding)) + folded("The whole report", finding.text);
    }
    return text.empty() ? "" : "<section><h2>Memory checks</h2>\n" + text + "</section>\n";
}

/// What happened in a failing test, and a picture of it.
std::string section_of(const TestResult& test) {
    std::string text = fmt::format("<h3>{}</h3>\n", html(test.name, limit::name)) +
                       paragraph(subject_of(test), " class=\"soft\"") +
                       preformatted(test.message, limit::message);
    if (test.mismatch) {
        text += paragraph(sentence(*test.mismatch));
        if (auto figure = difference_of(*test.mismatch)) {
            figure->title.clear(); // the sentence above names it
            text += picture::section(*figure);
        }
    }
    if (!test.hint.empty()) text += paragraph("Hint: " + test.hint);
    return text + folded("What the code printed", test.output);
}

std::string failing_tests(const Judgement& judgement) {
    std::string text;
    for (const TestResult& test : judgement.tests)
        if (failed(test) && (!test.message.empty() || test.mismatch || !test.hint.empty()))
            text += section_of(test);
    return text.empty() ? "" : "<section><h2>What went wrong</h2>\n" + text + "</section>\n";
}

std::string table_of_tests(const Judgement& judgement) {
    if (judgement.tests.empty()) return {};
    std::string text = "<section><h2>Tests</h2>\n" + paragraph(nothing_ran(judgement));
    text +=
        "<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"Tests\"><table class=\"names\">"
        "<tr><th scope=\"col\">Test</th><th scope=\"col\">Verdict</th><th scope=\"col\">Points</th><th "
        "scope=\"col\">Time</th>"
        "<th scope=\"col\">About</th></tr>\n";
    for (const TestResult& test : judgement.tests)
        text += fmt::format(
            "<tr><td>{}{}</td><td class=\"{}\">{}</td><td>{}/{}</td><td>{}</td><td>{}</td></tr>\n",
            html(test.name, limit::name), test.visibility == model::Visibility::hidden ? " (hidden)" : "",
            test.verdict == model::Verdict::accepted ? "good"
            : failed(test)                           ? "bad"
                                                     : "",
            model::words(test.verdict), number(test.points), number(test.max_points), duration(test.duration),
            html(subject_of(test), limit::name));
    return text + "</table></div></section>\n";
}

std::string circumstances(const Judgement& judgement) {
    std::string line =
        fmt::format("{} · {} · isolation {} · seed {} · {}", judgement.problem_id, thoroughness(judgement),
                    name(judgement.isolation.level), judgement.seed, judgement.toolchain.compiler);
    if (judgement.gpu) line += " · emulated and on " + judgement.gpu->gpu.name;
    if (judgement.attempt > 0) line += fmt::format(" · attempt {}", judgement.attempt);
    if (!judgement.started.empty()) line += " · " + judgement.started;
    return (judgement.gpu ? paragraph(sentence(judgement.gpu->compute_sanitizer)) : "") +
           paragraph(line, " class=\"soft\"");
}

} // namespace

std::string render_html(const Judgement& judgement) {
    const Judgement shown = disclosed(judgement);
    std::string body = heading_of(shown) + named_mistake(shown);
    for (const model::FailingCalls& calls : shown.failing_calls)
        body += paragraph(sentence(calls));
    body += compiler_messages(shown) + failing_tests(shown) + memory_findings(shown) + table_of_tests(shown);
    if (shown.justification) body += paragraph(sentence(*shown.justification));
    body += circumstances(shown);
    for (const Detail& detail : details(shown))
        body += folded(detail.title, detail.text);
    return picture::page(repaired(shown.problem_title, limit::name), body);
}

} // namespace report
