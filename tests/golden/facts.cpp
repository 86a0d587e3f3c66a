#include "golden/facts.h"

#include "model/verdict.h"
#include "report/words.h"

#include <chrono>
#include <fmt/format.h>

namespace golden {
namespace {

Words as_it_is(const Json& value) {
    if (value.is_number()) return {report::number(value.get<double>()), value.dump()};
    const auto text = value.get<std::string>();
    return text.empty() ? Words{} : Words{text.substr(0, text.find('\n'))};
}

/// In a line of "about this run".
auto labelled(const std::string& label) {
    return [label](const Json& value) {
        Words words = as_it_is(value);
        for (std::string& each : words)
            each = label + ": " + each;
        return words;
    };
}

/// Said where it is true.
auto where_true(const std::string& says) {
    return [says](const Json& value) { return value.get<bool>() ? Words{says} : Words{}; };
}

Words nothing(const Json& /*value*/) {
    return {};
}

Words milliseconds(const Json& value) {
    return {report::duration(
        std::chrono::microseconds(static_cast<std::int64_t>(value.get<double>() * 1000 + 0.5)))};
}

Words microseconds(const Json& value) {
    return {report::duration(std::chrono::microseconds(value.get<std::int64_t>())),
            fmt::format("{:.6f}", value.get<double>() / 1e6)};
}

Words verdict_words(const Json& value) {
    return {std::string(model::words(*model::verdict_from_name(value.get<std::string>()))),
            value.get<std::string>()};
}

const std::map<std::string, std::string> in_a_sentence{
    {"console", "the sentence has the absolute error"},
    {"html", "the sentence has the absolute error"},
    {"junit", "the sentence has the absolute error"},
    {"github", "the sentence has the absolute error"},
    {"github-summary", "the sentence has the absolute error"}};

} // namespace

const std::vector<Fact>& facts() {
    static const std::vector<Fact> rows{
        {"schema", nothing, {}}, // of the format itself
        {"minor", nothing, {}},
        {"engine", labelled("engine"), {}},
        {"collection.name", labelled("collection"), {}},
        {"collection.hash", as_it_is, {}},
        {"problem.id", as_it_is, {}},
        {"problem.title", as_it_is, {}},
        {"problem.version", as_it_is, {}},
        {"submission.file", labelled("submission"), {}},
        {"submission.hash", as_it_is, {}},
        {"started", labelled("started"), {}},
        {"graded",
         [](const Json& value) { return Words{value.get<bool>() ? "run: graded" : "run: practice run"}; },
         {}},
        {"depth",
         [](const Json& value) {
             return Words{value == "visible"  ? "run: practice run"
                          : value == "graded" ? "run: graded"
                                              : "run: graded thoroughly"};
         },
         {}},
        {"stage", labelled("stage"), {}},
        {"verdict", labelled("verdict"), {}},
        {"summary", as_it_is, {}},
        {"next", as_it_is, {}},
        {"score.points", labelled("points"), {}},
        {"score.max",
         [](const Json& value) { return Words{"of " + report::number(value.get<double>())}; },
         {}},
        {"tests[].name", as_it_is, {}},
        {"tests[].verdict",
         verdict_words,
         {{"console", "a passed test has a mark"},
          {"junit", "readers know it by the element; a passed test has none"}}},
        {"tests[].points", as_it_is, {}},
        {"tests[].max_points", as_it_is, {}},
        {"tests[].duration_us", microseconds, {}},
        {"tests[].visibility",
         [](const Json& value) { return value == "hidden" ? Words{"hidden"} : Words{}; },
         {}},
        {"tests[].concept", as_it_is, {}},
        {"tests[].hint", as_it_is, {}},
        {"tests[].place.file", as_it_is, {}},
        {"tests[].place.line", as_it_is, {}},
        {"tests[].message", as_it_is, {}},
        {"tests[].output", as_it_is, {}},
        {"tests[].mismatch.what", as_it_is, {}},
        {"tests[].mismatch.index[]", as_it_is, {}},
        {"tests[].mismatch.expected", as_it_is, {}},
        {"tests[].mismatch.got", as_it_is, {}},
        {"tests[].mismatch.worst_abs",
         [](const Json& value) {
             return value.is_number() ? as_it_is(value) : Words{}; // a NaN, which the sentence shows
         },
         {}},
        {"tests[].mismatch.worst_rel",
         [](const Json& value) { return value.is_number() ? as_it_is(value) : Words{}; }, in_a_sentence},
        {"tests[].mismatch.different", as_it_is, {}},
        {"tests[].mismatch.total", as_it_is, {}},
        {"diagnosis[].mistake", as_it_is, {}},
        {"diagnosis[].certain",
         [](const Json& value) { return value.get<bool>() ? Words{} : Words{"(a part of it)"}; },
         {}},
        {"diagnosis[].says", as_it_is, {}},
        {"diagnosis[].hint", as_it_is, {}},
        {"failing_calls[].function", as_it_is, {}},
        {"failing_calls[].says", as_it_is, {}},
        {"compile.ok", nothing, {}}, // the verdict says it
        {"compile.diagnostics[].file", as_it_is, {}},
        {"compile.diagnostics[].line",
         [](const Json& value) { return value == 0 ? Words{} : as_it_is(value); },
         {}},
        {"compile.diagnostics[].column",
         [](const Json& value) { return value == 0 ? Words{} : as_it_is(value); },
         {}},
        {"compile.diagnostics[].severity", as_it_is, {}},
        {"compile.diagnostics[].message", as_it_is, {}},
        {"compile.diagnostics[].explanation", as_it_is, {}},
        {"compile.diagnostics[].source", as_it_is, {{"github", "GitHub shows the line with its annotation"}}},
        {"sanitizer.ran", where_true("memory checks: ran"), {}},
        {"sanitizer.reason", as_it_is, {}},
        {"sanitizer.races.looked_for", where_true("race checks: ran"), {}},
        {"sanitizer.races.reason", as_it_is, {}},
        {"sanitizer.findings[].kind", as_it_is, {}},
        {"sanitizer.findings[].file", as_it_is, {}},
        {"sanitizer.findings[].line", as_it_is, {}},
        {"sanitizer.findings[].other_line",
         [](const Json& value) { return value == 0 ? Words{} : as_it_is(value); },
         {}},
        {"sanitizer.findings[].test", as_it_is, {}},
        {"sanitizer.findings[].text", as_it_is, {}},
        {"traffic[].kernel", as_it_is, {}},
        {"traffic[].test", as_it_is, {}},
        {"traffic[].file", as_it_is, {}},
        {"traffic[].line", [](const Json& value) { return value == 0 ? Words{} : as_it_is(value); }, {}},
        {"traffic[].launches", as_it_is, {}},
        {"traffic[].sectors", [](const Json& value) { return Words{value.dump() + " sectors"}; }, {}},
        {"traffic[].bytes_moved", [](const Json& value) { return Words{value.dump() + " bytes moved"}; }, {}},
        {"traffic[].bytes_minimum", [](const Json& value) { return Words{value.dump() + " needed"}; }, {}},
        {"traffic[].coalescing",
         [](const Json& value) {
             return Words{fmt::format("{:.0f} % asked for", 100 * value.get<double>())};
         },
         {}},
        {"traffic[].bank_conflicts",
         [](const Json& value) { return Words{value.dump() + " bank conflict"}; },
         {}},
        {"traffic[].lines[].file", as_it_is, {}},
        {"traffic[].lines[].line", as_it_is, {}},
        {"traffic[].lines[].access", as_it_is, {}},
        {"traffic[].lines[].memory", as_it_is, {}},
        {"traffic[].lines[].requests",
         [](const Json& value) { return Words{value.dump() + " requests"}; },
         {}},
        {"traffic[].lines[].sectors", [](const Json& value) { return Words{value.dump() + " sectors"}; }, {}},
        {"traffic[].lines[].useful_bytes",
         [](const Json& value) { return Words{value.dump() + " useful bytes"}; },
         {}},
        {"traffic[].lines[].bank_conflicts",
         [](const Json& value) { return Words{value.dump() + " bank conflict"}; },
         {}},
        {"isolation.level", labelled("isolation"), {}},
        {"isolation.observed[]", as_it_is, {}},
        {"seed", labelled("seed"), {}},
        {"toolchain.compiler", labelled("compiler"), {}},
        {"toolchain.flags", labelled("flags"), {}},
        {"toolchain.linker", labelled("linker"), {}},
        {"toolchain.nvcc", labelled("nvcc"), {}},
        {"toolchain.nvcc_compiled", where_true("compiled by nvcc: yes"), {}},
        {"device", labelled("device"), {}},
        {"gpu.name", labelled("GPU"), {}},
        {"gpu.driver", as_it_is, {}},
        {"gpu.capability", as_it_is, {}},
        {"gpu.clock_mhz", [](const Json& value) { return Words{value.dump() + " MHz"}; }, {}},
        {"gpu.memory_mib", [](const Json& value) { return Words{value.dump() + " MiB"}; }, {}},
        {"gpu.isolation.level", labelled("isolation with the GPU"), {}},
        {"gpu.isolation.observed[]", as_it_is, {}},
        {"gpu.compute_sanitizer.version", as_it_is, {}},
        {"gpu.compute_sanitizer.ran[]", as_it_is, {}},
        {"gpu.compute_sanitizer.reason", as_it_is, {}},
        {"worker_calls", [](const Json& value) { return Words{value.dump() + " calls"}; }, {}},
        {"timing_ms.compile", milliseconds, {}},
        {"timing_ms.link", milliseconds, {}},
        {"timing_ms.run", milliseconds, {}},
        {"timing_ms.total", milliseconds, {}},
        {"timing_ms.cached", where_true("(earlier)"), {}},
        {"questions[].id", as_it_is, {}},
        {"questions[].kind", as_it_is, {}},
        {"questions[].concept", as_it_is, {}},
        {"questions[].prompt", as_it_is, {}},
        {"questions[].unit", as_it_is, {}},
        {"questions[].options[].id", as_it_is, {}},
        {"questions[].options[].text", as_it_is, {}},
        {"questions[].matches[].id", as_it_is, {}},
        {"questions[].matches[].text", as_it_is, {}},
        {"justification.attempt", labelled("attempt"), {}},
        {"justification.complete", where_true("complete: yes"), {}},
        {"justification.questions[].id", as_it_is, {}},
        {"justification.questions[].mark", as_it_is, {}},
        {"justification.questions[].tries",
         [](const Json& value) { return Words{value.dump() + " tries"}; },
         {}},
        {"attempt", [](const Json& value) { return value == 0 ? Words{} : labelled("attempt")(value); }, {}},
    };
    return rows;
}

} // namespace golden
