#include "report/github_summary.h"

#include "report/details.h"
#include "report/disclosure.h"
#include "report/escape.h"
#include "report/words.h"

#include <fmt/format.h>

#include <string_view>

namespace report {
namespace {

using model::Judgement;
using model::TestResult;
using model::Verdict;

/// Markdown below a size; what does not fit is counted instead.
class Sections {
  public:
    void add(const std::string& section) {
        if (left_out_ > 0 || text_.size() + section.size() > summary_limit - reserve)
            ++left_out_;
        else
            text_ += section;
    }

    std::string close(const std::string& end) && {
        if (left_out_ > 0)
            text_ += fmt::format("\n*{} left out: GitHub shows at most 1 MiB. The JSON report has all.*\n",
                                 count(left_out_, "part"));
        return std::move(text_) + end;
    }

  private:
    static constexpr std::size_t reserve = 16 * 1024; ///< for the two lines at the end
    std::string text_;
    std::size_t left_out_ = 0;
};

std::string_view mark_of(Verdict verdict) {
    switch (verdict) {
    case Verdict::accepted: return "✅";
    case Verdict::skipped: return "➖";
    case Verdict::judge_error: return "⚠️";
    default: return "❌";
    }
}

std::string sentence_of(std::string_view text) {
    return markdown(text, limit::sentence);
}

std::string collapsed(std::string_view title, std::string_view text) {
    return fmt::format("\n<details><summary>{}</summary>\n\n{}\n</details>\n", html(title, limit::name),
                       markdown_block(text, limit::output));
}

std::string heading(const Judgement& judgement) {
    return fmt::format("## {} {}\n\n**{}** ({}): {}\n", mark_of(judgement.verdict), headline(judgement),
                       markdown(judgement.problem_id, limit::name),
                       markdown(judgement.problem_title, limit::name), sentence_of(judgement.summary));
}

std::string table_head() {
    return "\n| | Test | Verdict | Points | Time | About |\n|---|---|---|---:|---:|---|\n";
}

std::string table_row(const TestResult& test) {
    const std::string points = test.verdict == Verdict::skipped ? "–" : number(test.points);
    return fmt::format(
        "| {} | {}{} | {} | {}/{} | {} | {} |\n", mark_of(test.verdict), markdown(test.name, limit::name),
        test.visibility == model::Visibility::hidden ? " *(hidden)*" : "", model::words(test.verdict), points,
        number(test.max_points), duration(test.duration), markdown(subject_of(test), limit::name));
}

void add_tests(Sections& sections, const Judgement& judgement) {
    if (judgement.tests.empty()) return;
    if (const std::string words = nothing_ran(judgement); !words.empty()) sections.add("\n" + words + "\n");
    sections.add(table_head());
    for (const TestResult& test : judgement.tests)
        sections.add(table_row(test));
}

std::string failing_test(const TestResult& test) {
    std::string text = test.message;
    if (test.mismatch) text += (text.empty() ? "" : "\n") + sentence(*test.mismatch);
    std::string out;
    if (text.empty() && test.hint.empty()) return out;
    out += fmt::format("\n### {} {}\n", mark_of(test.verdict), markdown(test.name, limit::name));
    if (!text.empty()) out += "\n" + markdown_block(text, limit::message);
    if (!test.hint.empty()) out += fmt::format("\n> **Hint:** {}\n", sentence_of(test.hint));
    if (!test.output.empty()) out += collapsed("what the code printed", test.output);
    return out;
}

std::string named_mistake(const model::Diagnosis& diagnosis) {
    std::string out =
        fmt::format("\n> **{}:** {}\n", diagnosis.certain ? "It looks like" : "Part of it looks like",
                    sentence_of(diagnosis.says));
    if (!diagnosis.hint.empty()) out += fmt::format(">\n> **Try:** {}\n", sentence_of(diagnosis.hint));
    return out;
}

std::string compiler_message(const model::Diagnostic& diagnostic) {
    const std::string where = place(diagnostic.file, diagnostic.line, diagnostic.column);
    std::string out =
        fmt::format("\n**{}{}{}**", sentence_of(where), where.empty() ? "" : " ", name(diagnostic.severity));
    if (!diagnostic.explanation.empty()) out += " · " + sentence_of(diagnostic.explanation);
    return out + "\n\n" + markdown_block(diagnostic.message, limit::sentence) +
           (diagnostic.source.empty() ? "" : "\n" + markdown_block(diagnostic.source, limit::sentence));
}

std::string finding(const model::SanitizerFinding& each) {
    const std::string where = place(each.file, each.line, 0);
    std::string out =
        fmt::format("\n**The {} found: {}{}{}**", check_name(each), sentence_of(kind_name(each)),
                    where.empty() ? "" : " at ", sentence_of(where));
    if (const std::string_view words = finding_words(each); !words.empty())
        out += fmt::format(" · {}", words);
    out += "\n";
    if (!each.text.empty()) out += collapsed("the sanitizer's report", each.text);
    return out;
}

std::string foot(const Judgement& judgement) {
    std::string out = fmt::format("\n<sub>{} · isolation {} · seed {} · {}</sub>\n", thoroughness(judgement),
                                  name(judgement.isolation.level), judgement.seed,
                                  markdown(judgement.toolchain.compiler, limit::name));
    if (judgement.justification) out += "\n" + sentence(*judgement.justification) + "\n";
    if (!judgement.next.empty()) out += fmt::format("\n**Next:** {}\n", sentence_of(judgement.next));
    return out;
}

} // namespace

std::string render_github_summary(const Judgement& judgement) {
    const Judgement shown = disclosed(judgement);
    Sections sections;
    sections.add(heading(shown));
    if (!shown.diagnosis.empty()) sections.add(named_mistake(shown.diagnosis.front()));
    for (const model::FailingCalls& calls : shown.failing_calls)
        sections.add(fmt::format("\n> {}\n", sentence_of(sentence(calls))));
    add_tests(sections, shown);
    for (const auto& diagnostic : shown.compile.diagnostics)
        sections.add(compiler_message(diagnostic));
    for (const auto& each : shown.sanitizer.findings)
        sections.add(finding(each));
    for (const TestResult& test : shown.tests)
        if (failed(test)) sections.add(failing_test(test));
    for (const Detail& detail : details(shown))
        sections.add(collapsed(detail.title, detail.text));
    return std::move(sections).close(foot(shown));
}

} // namespace report
