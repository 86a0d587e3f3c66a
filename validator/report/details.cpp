#include "report/details.h"

#include "report/words.h"
#include "text/clean.h"

#include <algorithm>
#include <fmt/format.h>

namespace report {
namespace {

using model::Judgement;

/// Lines of names and values.
class Facts {
  public:
    void add(std::string_view name, std::string_view value) {
        if (!value.empty()) text_ += one_line(fmt::format("{}: {}", name, value)) + "\n";
    }
    std::string text() && { return std::move(text_); }

  private:
    std::string text_;
};

std::string joined(const std::vector<std::string>& words) {
    return fmt::format("{}", fmt::join(words, ", "));
}

/// Whether something ran, or why it did not; nothing where it was not due.
std::string outcome(bool ran, const std::string& reason) {
    if (ran) return "ran";
    return reason.empty() ? "" : "did not run: " + reason;
}

void add_gpu(Facts& facts, const model::GpuRun& run) {
    const model::Gpu& gpu = run.gpu;
    facts.add("GPU", fmt::format("{}, driver {}, compute capability {}, {} MHz, {} MiB", gpu.name, gpu.driver,
                                 gpu.capability, gpu.clock_mhz, gpu.memory_mib));
    facts.add("isolation with the GPU", "G: " + joined(run.observed));
    if (!run.compute_sanitizer) return;
    facts.add("compute-sanitizer",
              fmt::format("{}: {}", run.compute_sanitizer->version, joined(run.compute_sanitizer->ran)));
    facts.add("compute-sanitizer did not run", run.compute_sanitizer->reason);
}

std::string about_the_run(const Judgement& judgement) {
    Facts facts;
    facts.add("engine", judgement.engine_version);
    facts.add("collection", judgement.collection.title);
    facts.add("hash of the collection", judgement.collection.hash);
    facts.add("problem", fmt::format("{} ({})", judgement.problem_id, judgement.problem_title));
    facts.add("version of the problem", judgement.problem_version);
    facts.add("submission", judgement.file);
    facts.add("hash of the submission", judgement.submission_hash);
    facts.add("started", judgement.started);
    facts.add("run", thoroughness(judgement));
    facts.add("stage", name(judgement.stage));
    facts.add("verdict", model::name(judgement.verdict));
    facts.add("points", fmt::format("{} of {}", number(judgement.points), number(judgement.max_points)));
    if (judgement.attempt > 0) facts.add("attempt", std::to_string(judgement.attempt));
    facts.add("seed", std::to_string(judgement.seed));
    facts.add("isolation",
              fmt::format("{}: {}", name(judgement.isolation.level), joined(judgement.isolation.observed)));
    facts.add("memory checks", outcome(judgement.sanitizer.ran, judgement.sanitizer.reason));
    facts.add("race checks", outcome(judgement.sanitizer.races, judgement.sanitizer.races_reason));
    facts.add("device", judgement.device);
    if (judgement.gpu) add_gpu(facts, *judgement.gpu);
    facts.add("compiler", judgement.toolchain.compiler);
    facts.add("flags", judgement.toolchain.flags);
    facts.add("linker", judgement.toolchain.linker);
    facts.add("nvcc", judgement.toolchain.nvcc);
    if (judgement.nvcc_compiled) facts.add("compiled by nvcc", "yes");
    facts.add("time", fmt::format("compile {}, link {}{}, run {} ({} calls), total {}",
                                  duration(judgement.timing.compile), duration(judgement.timing.link),
                                  judgement.timing.cached ? " (earlier)" : "", duration(judgement.timing.run),
                                  judgement.timing.calls, duration(judgement.timing.total)));
    return std::move(facts).text();
}

std::string mistakes(const Judgement& judgement) {
    Facts facts;
    for (const model::Diagnosis& each : judgement.diagnosis)
        facts.add(each.mistake,
                  fmt::format("{}{} {}", each.certain ? "" : "(a part of it) ", each.says, each.hint));
    return std::move(facts).text();
}

/// Indented, so that no line of it begins like one of the list that it is in.
std::string indented(std::string_view text) {
    std::string result;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        result += "  " + std::string(text.substr(0, end)) + "\n";
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return result;
}

std::string findings(const Judgement& judgement) {
    std::string text;
    for (const model::SanitizerFinding& finding : judgement.sanitizer.findings) {
        std::string line =
            place(finding.file, finding.line, 0) + (finding.line > 0 ? ": " : "") + kind_name(finding);
        if (finding.other_line > 0) line += fmt::format(", the other thread in line {}", finding.other_line);
        if (!finding.test.empty()) line += ", in the test " + finding.test;
        text += one_line(line) + "\n" + indented(finding.text);
    }
    return text;
}

std::string kernels(const Judgement& judgement) {
    std::string text;
    for (const model::KernelTraffic& kernel : judgement.traffic) {
        text +=
            one_line(fmt::format(
                "{} in the test {}{}{}: {}, {} sectors, {} bytes moved, {} needed, {:.0f} % asked for, {}",
                kernel.kernel, kernel.test, kernel.launched.line > 0 ? ", launched at " : "",
                place(kernel.launched.file, kernel.launched.line, 0), count(kernel.launches, "launch"),
                kernel.sectors, kernel.bytes_moved, kernel.minimum_bytes,
                100 * kernel.coalescing_efficiency(), count(kernel.bank_conflicts, "bank conflict"))) +
            "\n";
        for (const model::LineTraffic& line : kernel.lines)
            text += one_line(fmt::format("  {}: {} {}, {} requests, {} sectors, {} useful bytes, {}",
                                         place(line.where.file, line.where.line, 0),
                                         line.shared ? "shared" : "global", name(line.kind), line.requests,
                                         line.sectors, line.useful_bytes,
                                         count(line.bank_conflicts, "bank conflict"))) +
                    "\n";
    }
    return text;
}

std::string questions(const Judgement& judgement) {
    std::string text;
    for (const model::Question& question : judgement.questions) {
        text += one_line(fmt::format("{} ({}{}{}){}{}", question.id, name(question.kind),
                                     question.concept_name.empty() ? "" : ", ", question.concept_name,
                                     question.unit.empty() ? "" : ", in ", question.unit)) +
                "\n" + indented(question.prompt);
        for (const auto* list : {&question.options, &question.matches})
            for (const model::Option& option : *list)
                text += "  " + one_line(option.id + ": " + option.text) + "\n";
    }
    return text;
}

std::string answers(const Judgement& judgement) {
    if (!judgement.justification) return {};
    Facts facts;
    facts.add("attempt", std::to_string(judgement.justification->attempt));
    facts.add("complete", judgement.justification->complete() ? "yes" : "no");
    for (const model::QuestionStanding& each : judgement.justification->questions)
        facts.add(each.question, fmt::format("{}, {} tries", name(each.standing), each.tries));
    return std::move(facts).text();
}

} // namespace

std::string one_line(std::string_view text) {
    return text::cleaned(text, text::Lines::show);
}

std::string_view depth(const Judgement& judgement) {
    if (judgement.thorough) return "thorough";
    return judgement.graded ? "graded" : "visible";
}

std::string_view thoroughness(const Judgement& judgement) {
    if (judgement.thorough) return "graded thoroughly";
    return judgement.graded ? "graded" : "practice run";
}

std::vector<Detail> details(const Judgement& shown) {
    std::vector<Detail> all{{"about this run", about_the_run(shown)},
                            {"mistakes recognised", mistakes(shown)},
                            {"what the checks found", findings(shown)},
                            {"what the kernels moved", kernels(shown)},
                            {"questions", questions(shown)},
                            {"answers so far", answers(shown)}};
    std::erase_if(all, [](const Detail& each) { return each.text.empty(); });
    return all;
}

} // namespace report
