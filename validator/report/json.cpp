#include "report/json.h"

#include "report/details.h"
#include "report/disclosure.h"
#include "report/escape.h"
#include "report/words.h"

#include <nlohmann/json.hpp>

#include <cmath>

namespace report {
namespace {

using Json = nlohmann::ordered_json;

/// Counts the fields that were added to `engine.report/1`; docs/reports.md lists them.
constexpr int minor_version = 1;

Json real(double value) {
    if (std::isnan(value)) return "NaN";
    if (std::isinf(value)) return value > 0 ? "Infinity" : "-Infinity";
    return value;
}

Json exact(std::uint64_t value) {
    constexpr std::uint64_t largest = std::uint64_t{1} << 53;
    if (value > largest) return std::to_string(value);
    return value;
}

Json milliseconds(std::chrono::microseconds time) {
    return static_cast<double>(time.count()) / 1000.0;
}

Json of(const model::Mismatch& mismatch) {
    return {{"what", repaired(mismatch.what, limit::name)},
            {"index", mismatch.index},
            {"expected", repaired(mismatch.expected, limit::name)},
            {"got", repaired(mismatch.got, limit::name)},
            {"worst_abs", real(mismatch.worst_abs)},
            {"worst_rel", real(mismatch.worst_rel)},
            {"different", exact(mismatch.different)},
            {"total", exact(mismatch.total)}};
}

Json of(const model::TestResult& test) {
    const bool hidden = test.visibility == model::Visibility::hidden;
    Json json{{"name", repaired(test.name, limit::name)},
              {"verdict", model::name(test.verdict)},
              {"points", real(test.points)},
              {"max_points", real(test.max_points)},
              {"duration_us", test.duration.count()},
              {"visibility", hidden ? "hidden" : "visible"},
              {"concept", repaired(test.concept_name, limit::name)},
              {"hint", repaired(test.hint, limit::sentence)}};
    if (hidden) return json;
    json["place"] = test.place
                        ? Json{{"file", repaired(test.place->file, limit::name)}, {"line", test.place->line}}
                        : Json(nullptr);
    json["message"] = repaired(test.message, limit::message);
    json["mismatch"] = test.mismatch ? of(*test.mismatch) : Json(nullptr);
    json["output"] = repaired(test.output, limit::output);
    return json;
}

Json of(const model::Diagnosis& diagnosis) {
    return {{"mistake", repaired(diagnosis.mistake, limit::name)},
            {"certain", diagnosis.certain},
            {"says", repaired(diagnosis.says, limit::sentence)},
            {"hint", repaired(diagnosis.hint, limit::sentence)}};
}

Json of(const model::FailingCalls& calls) {
    return {{"function", repaired(calls.function, limit::name)},
            {"says", repaired(calls.says, limit::sentence)}};
}

Json of(const model::Diagnostic& diagnostic) {
    return {{"file", repaired(diagnostic.file, limit::name)},
            {"line", diagnostic.line},
            {"column", diagnostic.column},
            {"severity", name(diagnostic.severity)},
            {"message", repaired(diagnostic.message, limit::sentence)},
            {"explanation", repaired(diagnostic.explanation, limit::sentence)},
            {"source", repaired(diagnostic.source, limit::sentence)}};
}

Json of(const model::SanitizerFinding& finding) {
    return {{"kind", repaired(kind_name(finding), limit::name)},
            {"file", repaired(finding.file, limit::name)},
            {"line", finding.line},
            {"other_line", finding.other_line},
            {"test", repaired(finding.test, limit::name)},
            {"text", repaired(finding.text, limit::message)}};
}

Json of(const model::LineTraffic& line) {
    return {{"file", repaired(line.where.file, limit::name)},
            {"line", line.where.line},
            {"access", name(line.kind)},
            {"memory", line.shared ? "shared" : "global"},
            {"requests", exact(line.requests)},
            {"sectors", exact(line.sectors)},
            {"useful_bytes", exact(line.useful_bytes)},
            {"bank_conflicts", exact(line.bank_conflicts)}};
}

template <class T>
Json list(const std::vector<T>& values);

Json of(const model::KernelTraffic& kernel) {
    return {{"kernel", repaired(kernel.kernel, limit::name)},
            {"test", repaired(kernel.test, limit::name)},
            {"file", repaired(kernel.launched.file, limit::name)},
            {"line", kernel.launched.line},
            {"launches", exact(kernel.launches)},
            {"sectors", exact(kernel.sectors)},
            {"bytes_moved", exact(kernel.bytes_moved)},
            {"bytes_minimum", exact(kernel.minimum_bytes)},
            {"coalescing", real(kernel.coalescing_efficiency())},
            {"bank_conflicts", exact(kernel.bank_conflicts)},
            {"lines", list(kernel.lines)}};
}

Json of(const model::Option& option) {
    return {{"id", repaired(option.id, limit::name)}, {"text", repaired(option.text, limit::sentence)}};
}

Json of(const model::Question& question) {
    return {{"id", repaired(question.id, limit::name)},
            {"kind", name(question.kind)},
            {"concept", repaired(question.concept_name, limit::name)},
            {"prompt", repaired(question.prompt, limit::message)},
            {"options", list(question.options)},
            {"matches", list(question.matches)},
            {"unit", repaired(question.unit, limit::name)}};
}

Json of(const model::QuestionStanding& question) {
    return {{"id", repaired(question.question, limit::name)},
            {"mark", name(question.standing)},
            {"tries", exact(question.tries)}};
}

Json of(const model::Justification& justification) {
    return {{"attempt", exact(justification.attempt)},
            {"complete", justification.complete()},
            {"questions", list(justification.questions)}};
}

Json of(const model::MeasuredCall& call) {
    Json json{{"title", repaired(call.title, limit::name)},
              {"function", repaired(call.function, limit::name)},
              {"trouble", repaired(call.trouble, limit::message)},
              {"kernels", list(call.kernels)},
              {"moved_bytes", exact(call.moved_bytes)},
              {"minimum_bytes", exact(call.minimum_bytes)},
              {"time", nullptr}};
    if (call.time)
        json["time"] = {
            {"calls", call.time->calls},           {"bytes", exact(call.time->bytes)},
            {"us", real(call.time->us)},           {"spread_us", real(call.time->spread_us)},
            {"copy_us", real(call.time->copy_us)}, {"share_of_copy", real(call.time->share_of_copy())}};
    return json;
}

Json of(const std::string& text) {
    return repaired(text, limit::name);
}

template <class T>
Json list(const std::vector<T>& values) {
    Json json = Json::array();
    for (const T& value : values)
        json.push_back(of(value));
    return json;
}

Json of(const model::Measurement& measured) {
    return {{"calls", list(measured.calls)},
            {"copy_bytes_a_second", real(measured.copy_rate)},
            {"copy_slowdown", real(measured.slowdown)}};
}

Json of(const model::ComputeSanitizer& sanitizer) {
    return {{"version", repaired(sanitizer.version, limit::name)},
            {"ran", list(sanitizer.ran)},
            {"reason", repaired(sanitizer.reason, limit::sentence)}};
}

Json of(const model::GpuRun& run) {
    return {{"name", repaired(run.gpu.name, limit::name)},
            {"driver", repaired(run.gpu.driver, limit::name)},
            {"capability", repaired(run.gpu.capability, limit::name)},
            {"clock_mhz", run.gpu.clock_mhz},
            {"memory_mib", run.gpu.memory_mib},
            {"isolation", {{"level", "G"}, {"observed", list(run.observed)}}},
            {"compute_sanitizer", run.compute_sanitizer ? of(*run.compute_sanitizer) : Json(nullptr)}};
}

} // namespace

std::string render_json(const model::Judgement& judgement) {
    const model::Judgement shown = disclosed(judgement);
    Json json{
        {"schema", "engine.report/1"},
        {"minor", minor_version},
        {"engine", of(shown.engine_version)},
        {"collection", {{"name", of(shown.collection.title)}, {"hash", of(shown.collection.hash)}}},
        {"problem",
         {{"id", of(shown.problem_id)},
          {"title", of(shown.problem_title)},
          {"version", of(shown.problem_version)}}},
        {"submission", {{"file", of(shown.file)}, {"hash", of(shown.submission_hash)}}},
        {"started", of(shown.started)},
        {"graded", shown.graded},
        {"depth", depth(shown)},
        {"stage", name(shown.stage)},
        {"verdict", model::name(shown.verdict)},
        {"summary", repaired(shown.summary, limit::sentence)},
        {"next", repaired(shown.next, limit::sentence)},
        {"score", {{"points", real(shown.points)}, {"max", real(shown.max_points)}}},
        {"tests", list(shown.tests)},
        {"diagnosis", list(shown.diagnosis)},
        {"failing_calls", list(shown.failing_calls)},
        {"compile", {{"ok", shown.compile.ok}, {"diagnostics", list(shown.compile.diagnostics)}}},
        {"sanitizer",
         {{"ran", shown.sanitizer.ran},
          {"reason", repaired(shown.sanitizer.reason, limit::sentence)},
          {"races",
           {{"looked_for", shown.sanitizer.races},
            {"reason", repaired(shown.sanitizer.races_reason, limit::sentence)}}},
          {"findings", list(shown.sanitizer.findings)}}},
        {"traffic", list(shown.traffic)},
        {"isolation", {{"level", name(shown.isolation.level)}, {"observed", list(shown.isolation.observed)}}},
        {"seed", exact(shown.seed)},
        {"toolchain",
         {{"compiler", of(shown.toolchain.compiler)},
          {"flags", repaired(shown.toolchain.flags, limit::sentence)},
          {"linker", of(shown.toolchain.linker)},
          {"nvcc", of(shown.toolchain.nvcc)},
          {"nvcc_compiled", shown.nvcc_compiled}}},
        {"device", of(shown.device)},
        {"worker_calls", shown.timing.calls},
        {"timing_ms",
         {{"compile", milliseconds(shown.timing.compile)},
          {"link", milliseconds(shown.timing.link)},
          {"run", milliseconds(shown.timing.run)},
          {"total", milliseconds(shown.timing.total)},
          {"cached", shown.timing.cached}}},
        {"questions", list(shown.questions)},
        {"justification", shown.justification ? of(*shown.justification) : Json(nullptr)},
        {"attempt", shown.attempt},
    };
    if (shown.gpu) json["gpu"] = of(*shown.gpu);
    if (shown.measured) json["measured"] = of(*shown.measured);
    constexpr int indent = 2;
    constexpr bool ascii_only =
        true; // so that no character of a learner's reaches a terminal that prints the file
    return json.dump(indent, ' ', ascii_only) + "\n";
}

} // namespace report
