#include "golden/fixtures.h"

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace fixtures {
namespace {

using namespace std::chrono_literals;
using model::Judgement;
using model::TestResult;
using model::Verdict;

constexpr double infinity = std::numeric_limits<double>::infinity();

TestResult test(std::string name, double points, std::chrono::microseconds duration = 1300us) {
    TestResult result;
    result.name = std::move(name);
    result.verdict = Verdict::accepted;
    result.points = points;
    result.max_points = points;
    result.duration = duration;
    return result;
}

TestResult about(std::string concept_name, TestResult result) {
    result.concept_name = std::move(concept_name);
    return result;
}

TestResult hidden(TestResult result) {
    result.visibility = model::Visibility::hidden;
    result.detail = model::Detail::verdict;
    return result;
}

model::Question multiple_choice() {
    model::Question question;
    question.id = "fourth-row";
    question.concept_name = "row-major lookup";
    question.prompt = "The table has six rows of three columns. Which elements does id 4 pick?";
    model::Option right;
    right.id = "in-a-row";
    right.text = "elements 12, 13 and 14";
    right.correct = true;
    right.says = "SECRET-EXPLANATION";
    model::Option wrong;
    wrong.id = "in-a-column";
    wrong.text = "elements 4, 10 and 16";
    wrong.says = "SECRET-EXPLANATION";
    wrong.mistake = "reads-column";
    question.options = {right, wrong};
    question.explanation = "SECRET-EXPLANATION";
    return question;
}

model::Question numeric() {
    model::Question question;
    question.id = "offset";
    question.kind = model::QuestionKind::numeric;
    question.prompt = "At which offset stands element [5, 2] of a table with stride 3?";
    question.formula = "row*stride + col + SECRET";
    question.variables = {{"row", {5}}, {"stride", {3}}, {"col", {2}}};
    question.unit = "elements";
    return question;
}

model::Question predict_output() {
    model::Question question;
    question.id = "predict";
    question.kind = model::QuestionKind::predict_output;
    question.prompt =
        "What does this print?\n```cpp\nfor (TokenId id : {2, 2})\n    print(table.row(id));\n```";
    question.output = "SECRET-OUTPUT";
    return question;
}

model::Question pairs() {
    model::Question question;
    question.id = "which-space";
    question.kind = model::QuestionKind::pairs;
    question.prompt = "Where is each of these kept?";
    model::Option local;
    local.id = "row";
    local.text = "a row that a block uses again";
    model::Option place;
    place.id = "shared";
    place.text = "shared memory";
    question.options = {local};
    question.matches = {place};
    return question;
}

/// Everything accepted; the others start from it.
Judgement accepted() {
    Judgement judgement;
    judgement.engine_version = "0.1.0+1f2e3d4c5b";
    judgement.collection = {"From a token to a vector", std::string(64, 'a')};
    judgement.problem_id = "token-lookup";
    judgement.problem_title = "Six rows, three columns";
    judgement.problem_version = "1f2e";
    judgement.submission_hash = "5a6b";
    judgement.verdict = Verdict::accepted;
    judgement.summary = "All 5 tests pass.";
    judgement.next = "Go on with learned-positions: ./engine show learned-positions";
    judgement.points = judgement.max_points = 20;
    judgement.graded = true;
    judgement.file = "exercises/token-lookup/lookup.cpp";
    judgement.tests = {about("embedding table", test("four ids pick four rows", 4)),
                       about("row-major layout", test("random shapes agree with the reference", 6, 18400us)),
                       test("an id outside the table is refused with its position, value and range", 4),
                       hidden(about("row-major layout", test("a table with padding between its rows", 4))),
                       hidden(test("one million ids", 2, 412000us))};
    judgement.sanitizer.ran = true;
    judgement.isolation = {model::IsolationLevel::C, {"connect: EPERM", "open /etc/passwd: EACCES"}, {}};
    judgement.seed = 7345;
    judgement.toolchain = {"g++ 12.2.0", "-std=c++20 -O2", "mold 1.10.1"};
    judgement.timing = {118300us, 12400us, 41200us, 173900us, false, 1612};
    judgement.questions = {multiple_choice(), numeric(), predict_output()};
    judgement.attempt = 3;
    judgement.started = "2026-01-31T12:00:00Z";
    return judgement;
}

void fail(TestResult& result, Verdict verdict, std::string message) {
    result.verdict = verdict;
    result.points = 0;
    result.message = std::move(message);
}

/// `test`: quick, without hidden tests, grades or questions.
Judgement practice(Verdict verdict, std::string summary, std::string next) {
    Judgement judgement = accepted();
    judgement.verdict = verdict;
    judgement.summary = std::move(summary);
    judgement.next = std::move(next);
    judgement.graded = false;
    judgement.tests.resize(3);
    judgement.max_points = 14;
    judgement.points = 10;
    judgement.sanitizer = {};
    judgement.attempt = 0;
    return judgement;
}

void nothing_ran(Judgement& judgement) {
    for (TestResult& result : judgement.tests) {
        result.verdict = Verdict::skipped;
        result.points = 0;
        result.duration = 0us;
    }
    judgement.points = 0;
    judgement.timing.run = 0us;
}

Judgement wrong_answer() {
    Judgement judgement = practice(Verdict::wrong_answer, "2 of 3 tests do not pass yet.",
                                   "Change exercises/token-lookup/lookup.cpp, then: ./engine test");
    judgement.points = 4;
    TestResult& first = judgement.tests[0];
    fail(first, Verdict::wrong_answer, "The output differs from the reference.");
    first.hint = "Row r begins at element r * stride.";
    first.mismatch = model::Mismatch{"out", {2, 1}, "7", "8", 1, 0.14285714285714285, 3, 12};
    first.output = "id 2 at offset 2\nid 3 at offset 3\n";
    TestResult& second = judgement.tests[1];
    fail(second, Verdict::wrong_answer, "The output differs from the reference (V 5, C 2, T 1).");
    second.mismatch = model::Mismatch{"out", {0, 0}, "-0.75", "nan", infinity, infinity, 1, 2};
    judgement.diagnosis = {
        {"reads-column",
         "You read column t of the table instead of row t: the table is row-major, row t begins at "
         "element t * stride.",
         "Print the offset you use for id 1 and compare it with the stride.",
         true,
         {first.name, second.name}}};
    return judgement;
}

/// Each row of `out` is the next one, and two tests show more than one element.
Judgement shifted_rows() {
    Judgement judgement = practice(Verdict::wrong_answer, "1 of 3 tests does not pass yet.",
                                   "Change exercises/token-lookup/lookup.cpp, then: ./engine test");
    TestResult& first = judgement.tests[0];
    fail(first, Verdict::wrong_answer, "The output differs from the reference.");
    first.mismatch = model::Mismatch{"out", {0, 0}, "0.5", "-1", 3, 6, 12, 12};
    first.mismatch->sample =
        model::Sample{0,
                      0,
                      4,
                      3,
                      {0.5, 0.25, -2, -1, 0, 1, 2, -0.5, 0.125, 0.75, 1.5, -1.25},
                      {-1, 0, 1, 2, -0.5, 0.125, 0.75, 1.5, -1.25, 0, 0, 0},
                      std::vector<bool>(12, false),
                      {false, false, false, false, false, false, false, false, false, true, true, true}};
    TestResult& last = judgement.tests[2] = hidden(judgement.tests[2]);
    fail(last, Verdict::wrong_answer, "SECRET-MESSAGE");
    last.mismatch = first.mismatch;
    last.mismatch->sample->got[0] = 987654321;
    return judgement;
}

Judgement compile_error() {
    Judgement judgement =
        practice(Verdict::compile_error, "lookup.cpp does not compile.",
                 "Repair line 12 of exercises/token-lookup/lookup.cpp, then: ./engine test");
    nothing_ran(judgement);
    judgement.compile = {
        false,
        {{"exercises/token-lookup/lookup.cpp", 12, 34, model::Severity::error,
          "expected ‘;’ before ‘}’ token", "A semicolon `;` is missing just before this place.",
          "\tif (ids.empty()) { return Status{} }"},
         {"exercises/token-lookup/lookup.cpp", 9, 11, model::Severity::warning,
          "unused variable ‘row’ [-Wunused-variable]", "", "\tconst float* row = nullptr;"},
         {"", 0, 0, model::Severity::note, "compilation stopped after the first error", ""}}};
    return judgement;
}

Judgement crash() {
    Judgement judgement = practice(Verdict::run_time_error, "1 of 3 tests crashes.",
                                   "Check the index, then: ./engine test token-lookup");
    fail(judgement.tests[2], Verdict::run_time_error,
         "Your code crashed: segmentation fault (signal 11).\nIt happened in lookup(), in the second call of "
         "this test.\n"
         "Look for an index that is not checked before it is used.");
    judgement.tests[2].output = "checking id -1\n";
    judgement.tests[2].place = model::Location{.file = "lookup.cpp", .line = 21};
    return judgement;
}

/// More failing tests than GitHub shows annotations; those that count most come last in the suite.
Judgement many_failures() {
    Judgement judgement = practice(Verdict::wrong_answer, "0 of 12 tests passed.",
                                   "Change exercises/token-lookup/lookup.cpp, then: ./engine test");
    judgement.points = 0;
    judgement.max_points = 39;
    judgement.tests.clear();
    for (int i = 0; i < 12; ++i) {
        TestResult& result = judgement.tests.emplace_back(
            about("embedding table", test("row " + std::to_string(i) + " is right", 0.5 * (i + 1))));
        fail(result, Verdict::wrong_answer, "The output differs from the reference.");
    }
    return judgement;
}

Judgement timeout() {
    Judgement judgement = practice(Verdict::time_limit_exceeded, "1 of 3 tests takes too long.",
                                   "Look for a loop that never ends, then: ./engine test");
    fail(judgement.tests[0], Verdict::time_limit_exceeded,
         "lookup() did not return within 1000 ms (the limit of one call).");
    judgement.tests[0].duration = 1002300us;
    return judgement;
}

Judgement memory_limit() {
    Judgement judgement = practice(Verdict::memory_limit_exceeded, "1 of 3 tests needs too much memory.",
                                   "Look for a buffer that grows in a loop, then: ./engine test");
    fail(judgement.tests[1], Verdict::memory_limit_exceeded,
         "Your code asked for more than 512 MiB (the limit); it held 509 MiB at that moment.");
    return judgement;
}

Judgement output_limit() {
    Judgement judgement = practice(Verdict::output_limit_exceeded, "1 of 3 tests prints too much.",
                                   "Print less, or only for the first ids, then: ./engine test");
    fail(judgement.tests[1], Verdict::output_limit_exceeded,
         "Your code printed more than 64 KiB (the limit).");
    for (int i = 0; i < 2000; ++i)
        judgement.tests[1].output += "row " + std::to_string(i) + " of the table\n";
    return judgement;
}

Judgement not_implemented() {
    Judgement judgement =
        practice(Verdict::not_implemented, "lookup() is still the starter.",
                 "Write lookup() in exercises/token-lookup/lookup.cpp, then: ./engine test");
    judgement.points = 0;
    for (TestResult& result : judgement.tests)
        fail(result, Verdict::not_implemented, "lookup() is not implemented yet.");
    return judgement;
}

Judgement judge_error() {
    Judgement judgement = practice(Verdict::judge_error, "The driver of token-lookup ended without a result.",
                                   "Try again; if it stays, ./engine doctor tells what this machine lacks.");
    nothing_ran(judgement);
    return judgement;
}

Judgement sanitizer_finding() {
    Judgement judgement = accepted();
    judgement.verdict = Verdict::run_time_error;
    judgement.summary = "The tests pass, but the memory checks found a mistake.";
    judgement.next = "Repair lookup.cpp:14, then: ./engine submit-build";
    judgement.points = 16;
    fail(judgement.tests[2], Verdict::run_time_error,
         "AddressSanitizer stopped your code: heap-buffer-overflow.");
    judgement.sanitizer.findings = {{"heap-buffer-overflow", "lookup.cpp", 14, judgement.tests[2].name,
                                     "ERROR: AddressSanitizer: heap-buffer-overflow on address "
                                     "0x602000000118\nREAD of size 4 at 0x602000000118 thread "
                                     "T0\n    #0 exercise::lookup lookup.cpp:14\n"},
                                    {"signed-integer-overflow", "lookup.cpp", 9, judgement.tests[4].name,
                                     "SECRET-INPUT of a hidden test"}};
    judgement.questions.clear();
    return judgement;
}

/// CUDA on a GPU and on the emulator.
Judgement on_gpu() {
    Judgement judgement = accepted();
    judgement.problem_id = "cuda-lookup";
    judgement.problem_title = "Rows by the warp";
    judgement.file = "exercises/cuda-lookup/lookup.cu";
    judgement.device = "cuda";
    judgement.toolchain.nvcc = "nvcc 12.4.131";
    judgement.nvcc_compiled = true;
    judgement.gpu = model::GpuRun{
        .gpu = {.name = "NVIDIA H200",
                .driver = "550.54.15, CUDA 12.4",
                .capability = "9.0",
                .clock_mhz = 1980,
                .memory_mib = 143771},
        .observed = {"fork: EPERM", "socket: EPERM"},
        .compute_sanitizer = model::ComputeSanitizer{.version = "2024.1.1.0",
                                                     .ran = {"memcheck", "initcheck", "synccheck"},
                                                     .reason = "racecheck: it ended without a summary"}};
    judgement.questions = {pairs()};
    judgement.justification = model::Justification{
        2, {{"which-space", model::Standing::right, 1}, {"why-coalesced", model::Standing::written, 2}}};
    return judgement;
}

/// CUDA on the emulator: a race, and a kernel that wastes traffic.
Judgement kernel_findings() {
    Judgement judgement = accepted();
    judgement.problem_id = "cuda-lookup";
    judgement.problem_title = "Rows by the warp";
    judgement.file = "exercises/cuda-lookup/lookup.cu";
    judgement.verdict = Verdict::run_time_error;
    judgement.device = "emulated";
    judgement.toolchain.nvcc = "nvcc 13.0.88";
    judgement.nvcc_compiled = true;
    judgement.summary = "3 of 5 tests passed.";
    judgement.next = "Change lookup.cu, then: engine test cuda-lookup";
    judgement.points = 12;
    fail(judgement.tests[0], Verdict::run_time_error,
         "Two threads of a block use the same bytes, at least one writes, and no barrier stands between "
         "them.\n"
         "at lookup.cu:21; seen in thread (1, 0, 0) of block (0, 0, 0) of copy_rows\n"
         "the other access is at lookup.cu:20, thread (0, 0, 0) of block (0, 0, 0)");
    fail(judgement.tests[2], Verdict::wrong_answer,
         "Of the bytes that the kernels move, 12 % were asked for.");
    const std::string race =
        "Two threads of a block use the same bytes, at least one writes, and no barrier stands "
        "between them.\nthe other access is at lookup.cu:20";
    judgement.sanitizer.findings = {
        {model::FindingKind::race_in_block, "lookup.cu", 21, judgement.tests[0].name, race},
        {model::FindingKind::race_in_block, "lookup.cu", 21, judgement.tests[2].name, race},
        {model::FindingKind::uncoalesced, "lookup.cu", 14, judgement.tests[2].name,
         "Of the bytes that the kernels move, 12 % were asked for."},
        {model::FindingKind::out_of_bounds, "lookup.cu", 9, judgement.tests[4].name,
         "SECRET-INPUT of a hidden test"}};
    judgement.traffic = {{"copy_rows",
                          judgement.tests[2].name,
                          {"lookup.cu", 30},
                          1,
                          3200,
                          3584,
                          114688,
                          14336,
                          99000,
                          12,
                          {{.where = {"lookup.cu", 14},
                            .kind = model::AccessKind::load,
                            .requests = 100,
                            .sectors = 3200,
                            .useful_bytes = 12800},
                           {.where = {"lookup.cu", 15},
                            .kind = model::AccessKind::store,
                            .shared = true,
                            .requests = 100,
                            .bank_conflicts = 12}}},
                         {"small", judgement.tests[0].name, {}, 2, 64, 8, 256, 256, 256, 0, {}}};
    judgement.questions.clear();
    return judgement;
}

Judgement hidden_only() {
    Judgement judgement = accepted();
    judgement.verdict = Verdict::wrong_answer;
    judgement.summary = "3 of 5 tests pass; 2 hidden tests do not.";
    judgement.next = "Read \"Pitfalls\" in ./engine show token-lookup, then: ./engine submit-build";
    judgement.points = 14;
    for (std::size_t i = 3; i < 5; ++i) {
        TestResult& result = judgement.tests[i];
        fail(result, Verdict::wrong_answer, "SECRET-MESSAGE");
        result.hint = "Table and output each have a stride.";
        result.output = "SECRET-OUTPUT";
        result.mismatch =
            model::Mismatch{"SECRET-TENSOR", {4, 4}, "SECRET-EXPECTED", "SECRET-GOT", 1, 1, 1, 1};
    }
    judgement.questions = {multiple_choice()};
    return judgement;
}

/// The same hostile text wherever a text is.
Judgement hostile() {
    const std::string& text = hostile_text();
    Judgement judgement = accepted();
    judgement.engine_version = judgement.problem_id = judgement.problem_title = judgement.problem_version =
        judgement.submission_hash = judgement.file = text;
    judgement.collection = {text, text};
    judgement.verdict = Verdict::wrong_answer;
    judgement.summary = judgement.next = judgement.device = judgement.started = text;
    judgement.points = 0;
    judgement.tests = {test(text, 10), hidden(test(text, 10))};
    for (TestResult& result : judgement.tests) {
        fail(result, Verdict::wrong_answer, text);
        result.hint = result.output = result.concept_name = text;
        result.place = model::Location{.file = text, .line = 2};
        result.mismatch = model::Mismatch{text, {1}, text, text, infinity, -infinity, 1, 2};
    }
    judgement.diagnosis = {{text, text, text, false, {text}}};
    judgement.failing_calls = {{text, text}};
    judgement.compile.ok = false;
    judgement.compile.diagnostics = {{text, 3, 60, model::Severity::error, text, text, text}};
    judgement.sanitizer.reason = text;
    judgement.sanitizer.findings = {{text, text, 1, "", text}};
    judgement.traffic = {
        {text,
         text,
         {text, 1},
         1,
         1,
         1,
         2,
         1,
         1,
         1,
         {{.where = {text, 1}, .requests = 1, .sectors = 1, .useful_bytes = 1, .bank_conflicts = 1}}}};
    judgement.isolation = {model::IsolationLevel::E, {text}, {text}};
    judgement.seed = std::numeric_limits<std::uint64_t>::max();
    judgement.toolchain = {text, text, text, true, text};
    model::Question question = multiple_choice();
    question.id = question.prompt = question.unit = question.concept_name = text;
    for (model::Option& option : question.options)
        option.text = text;
    judgement.questions = {question};
    return judgement;
}

} // namespace

const std::string& hostile_text() {
    using namespace std::string_literals;
    static const std::string text =
        "\x1b]0;owned\x07\x1b[2J\xe2\x80\xae"
        "desrever\xe2\x80\xac ]]><script>alert('x')</script> & \"q\"\n"
        "::error file=/etc/passwd::forged\r\n::stop-commands::x\n##[add-mask]x\n```\n</details>| a | b |\n"
        "[l](javascript:x) @all www.x.io %0A::error::x \xff\xc0\xaf\xed\xa0\x80 \xc2\x9b"
        "31m nul:\0:end"s;
    return text;
}

const std::vector<Fixture>& all() {
    static const std::vector<Fixture> list{{"accepted", accepted()},
                                           {"wrong-answer", wrong_answer()},
                                           {"shifted-rows", shifted_rows()},
                                           {"compile-error", compile_error()},
                                           {"crash", crash()},
                                           {"many-failures", many_failures()},
                                           {"timeout", timeout()},
                                           {"memory-limit", memory_limit()},
                                           {"output-limit", output_limit()},
                                           {"not-implemented", not_implemented()},
                                           {"judge-error", judge_error()},
                                           {"sanitizer-finding", sanitizer_finding()},
                                           {"kernel-findings", kernel_findings()},
                                           {"on-gpu", on_gpu()},
                                           {"hostile", hostile()},
                                           {"hidden-only", hidden_only()}};
    return list;
}

const Judgement& named(const std::string& name) {
    const auto found = std::find_if(all().begin(), all().end(),
                                    [&name](const Fixture& fixture) { return fixture.name == name; });
    if (found == all().end()) throw std::out_of_range("no fixture " + name);
    return found->judgement;
}

} // namespace fixtures
