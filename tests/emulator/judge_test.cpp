// What a learner hears of each kind of fault in a CUDA submission.
#include "judged.h"

#include <fstream>

using namespace judged;

namespace {

const model::TestResult& first_test(const model::Judgement& judgement) {
    return judgement.tests.front();
}

} // namespace

TEST_CASE("the reference is accepted, and what it moves is counted") {
    const model::Judgement judgement = fixture().judge(read("reference/cuda-lookup/lookup.cu"));
    CHECK(judgement.verdict == Verdict::accepted);
    CHECK(judgement.device == "emulated");
    CHECK(judgement.sanitizer.ran);
    REQUIRE(judgement.traffic.size() == 1);
    CHECK(judgement.traffic[0].kernel == "copy_rows");
    CHECK(judgement.traffic[0].launched.file == "lookup.cu");
    CHECK(judgement.traffic[0].coalescing_efficiency() > 0.9);
    CHECK(judgement.traffic[0].bytes_moved >= judgement.traffic[0].minimum_bytes);
    CHECK(std::ranges::all_of(judgement.traffic[0].lines,
                              [](const auto& line) { return line.where.line > 0; }));
}

TEST_CASE("four faults are caught with file and line in one run") {
    const std::string text = read("tests/emulator/submissions/four_faults.cu");
    const model::Judgement judgement = fixture().judge(text);
    const auto found = [&](const std::string& kind, const std::string& mark) {
        return std::ranges::any_of(judgement.sanitizer.findings, [&](const model::SanitizerFinding& finding) {
            return kind_name(finding) == kind && finding.file == "lookup.cu" &&
                   finding.line == line_of(text, mark);
        });
    };
    CHECK(found("race_in_block", "// racy reduction"));
    CHECK(found("out_of_bounds", "// out-of-bounds tail"));
    CHECK(found("uncoalesced", "// uncoalesced copy"));
    CHECK(found("race_in_block", "// missing barrier"));
    CHECK(first_test(judgement).verdict == Verdict::accepted);
}

TEST_CASE("each abuse has its own verdict and sentence, with the line") {
    struct Row {
        const char* name;
        const char* kernel;
        const char* launch;
        Verdict verdict;
        const char* says;
        const char* kind; ///< of the finding; empty for none
    };
    const Row rows[] = {
        {"a kernel that never ends", "__global__ void spin(float* p) {\nfor (;;) *p += 1;\n}",
         "float* p; cudaMalloc(&p, 4); cudaMemset(p, 0, 4);\nspin<<<1, 1, 0, stream>>>(p);",
         Verdict::time_limit_exceeded, "a kernel does not end", ""},
        {"a kernel that waits for nobody", "__global__ void spin(volatile int* p) {\nwhile (*p == 0) {}\n}",
         "int* p; cudaMalloc(&p, 4); cudaMemset(p, 0, 4);\nspin<<<1, 1, 0, stream>>>(p);",
         Verdict::run_time_error, "Threads wait in a loop for a value that no thread will write", "deadlock"},
        {"a block of 2,048 threads", "__global__ void nothing() {}", "nothing<<<1, 2048, 0, stream>>>();",
         Verdict::run_time_error, "1 x 1 x 1 blocks of 2048 x 1 x 1", "launch_refused"},
        {"no block at all", "__global__ void nothing() {}", "nothing<<<0, 32, 0, stream>>>();",
         Verdict::run_time_error, "0 x 1 x 1 blocks", "launch_refused"},
        {"too much dynamic shared memory", "__global__ void nothing() {}",
         "nothing<<<1, 32, 100000, stream>>>();", Verdict::run_time_error,
         "100000 bytes of dynamic shared memory", "launch_refused"},
        {"a second free", "__global__ void nothing() {}",
         "int* p; cudaMalloc(&p, 4); cudaFree(p); cudaFree(p); cudaGetLastError();", Verdict::run_time_error,
         "freed a second time", "invalid_free"},
        {"recursion without end",
         "__device__ int down(int n) { volatile int x[64]; x[n % 64] = n; return down(n + 1) + x[0]; }\n"
         "__global__ void fall(float* p) { *p = static_cast<float>(down(0)); }",
         "fall<<<1, 1, 0, stream>>>(out.data);", Verdict::run_time_error, "stack", "stack_overflow"},
        {"memory that nobody has written", "__global__ void use(float* p, float* to) { *to = *p; }",
         "float* p; cudaMalloc(&p, 4);\nuse<<<1, 1, 0, stream>>>(p, out.data);", Verdict::run_time_error,
         "nothing has written", "uninitialized_read"},
        {"a kernel that reads a static array of the host",
         "__global__ void use(const float* from, float* to) {\n*to = from[0]; }",
         "static const float numbers[2] = {1, 2};\nuse<<<1, 1, 0, stream>>>(numbers, out.data);",
         Verdict::run_time_error, "`numbers`, a variable of the host", "host_memory"},
        {"a kernel that reads the host's heap",
         "__global__ void use(const float* from, float* to) {\n*to = from[0]; }",
         "const float* numbers = new float[2]{1, 2};\nuse<<<1, 1, 0, stream>>>(numbers, out.data);",
         Verdict::run_time_error, "the host's heap", "host_memory"},
        {"a host that follows a device pointer", "__global__ void nothing() {}", "*out.data = 1;",
         Verdict::run_time_error, "Host code touches", "host_memory"},
    };
    for (const Row& row : rows) {
        CAPTURE(row.name);
        const model::Judgement judgement = fixture().judge_briefly(program(row.kernel, row.launch));
        REQUIRE(judgement.compile.ok);
        const model::TestResult& test = first_test(judgement);
        CHECK(test.verdict == row.verdict);
        CHECK_MESSAGE(says(test.message, row.says), test.message);
        if (*row.kind == '\0') continue;
        const auto& findings = judgement.sanitizer.findings;
        REQUIRE_FALSE(findings.empty());
        CHECK(kind_name(findings.front()) == row.kind);
    }
}

TEST_CASE("what the emulator does not have is a compile error with its line") {
    const model::Judgement judgement = fixture().judge(
        program("__global__ void copy() {\nasm(\"mov\");\n}", "copy<<<1, 1, 0, stream>>>();"));
    CHECK(judgement.verdict == Verdict::compile_error);
    REQUIRE_FALSE(judgement.compile.diagnostics.empty());
    CHECK(judgement.compile.diagnostics.front().line == 6);
    CHECK(says(judgement.compile.diagnostics.front().message, "PTX"));

    const model::Judgement sized = fixture().judge(
        program("__global__ void sized(int n) {\nfloat room[n];\nroom[0] = 1;\n}", "sized<<<1, 1>>>(3);"));
    CHECK(sized.verdict == Verdict::compile_error);
    REQUIRE_FALSE(sized.compile.diagnostics.empty());
    CHECK(sized.compile.diagnostics.front().line == 6);
    CHECK(says(sized.compile.diagnostics.front().message, "variable length array"));

    const model::Judgement large = fixture().judge(program(
        "__global__ void big() {\n__shared__ float room[20000];\nroom[0] = 1;\n}", "big<<<1, 1>>>();"));
    CHECK(large.verdict == Verdict::compile_error);
    CHECK(std::ranges::any_of(large.compile.diagnostics,
                              [](const auto& diagnostic) { return says(diagnostic.message, "48 KiB"); }));
}

TEST_CASE("a submission that tampers with the account of its kernels does not pass") {
    // It takes the trace away before the judge asks for it.
    const std::string text =
        "namespace emulator { struct Trace; }\n" + read("reference/cuda-lookup/lookup.cu");
    CHECK(fixture().judge(text).verdict == Verdict::accepted); // as long as it leaves it alone
    const std::string silent = "#include <cstddef>\nnamespace subject::shim { std::size_t "
                               "observed(std::byte*, std::size_t) { return 0; } }\n" +
                               read("reference/cuda-lookup/lookup.cu");
    const model::Judgement judgement = fixture().judge(silent);
    CHECK(judgement.verdict != Verdict::accepted);
}

TEST_CASE("a submission that reaches for what observes its kernels does not compile") {
    struct Row {
        const char* declared;
        const char* used;
        const char* says;
    };
    for (const Row& row :
         {Row{"namespace emulator { void reset_device(); }", "emulator::reset_device();",
              "`emulator::reset_device`"},
          Row{"namespace cuda_emulator { struct Observer; extern Observer* observer; }",
              "cuda_emulator::observer = nullptr;", "cuda_emulator::observer"},
          Row{"extern \"C\" void __tsan_write4(void*) __attribute__((weak));",
              "if (__tsan_write4 != nullptr) return {Code::shape_mismatch};", "__tsan_write4"},
          Row{"extern \"C\" void __tsan_read4(void*) {}", "", "__tsan_read4"}}) {
        const model::Judgement judgement =
            fixture().judge(row.declared + std::string("\n") + program("__global__ void k() {}", row.used));
        INFO(std::string(row.declared));
        CHECK(judgement.verdict == Verdict::compile_error);
        REQUIRE_FALSE(judgement.compile.diagnostics.empty());
        CHECK(says(judgement.compile.diagnostics[0].explanation, row.says));
    }
}

TEST_CASE("nvcc has a say in a graded run, where it is installed") {
    if (fixture().workshop.toolchain().nvcc.empty()) {
        MESSAGE("skipped: there is no nvcc");
        return;
    }
    const model::Judgement right = fixture().judge(read("reference/cuda-lookup/lookup.cu"), true);
    CHECK(right.verdict == Verdict::accepted);
    CHECK(right.nvcc_compiled);
    // A kernel may not read a variable of the host; the emulator cannot tell.
    const model::Judgement wrong = fixture().judge(
        "#include \"contract.h\"\nint on_the_host = 3;\nnamespace exercise {\n__global__ void use(float* p) "
        "{\n"
        "*p = on_the_host;\n}\nStatus lookup(DeviceMatrix<const float>, DeviceSpan<const TokenId>, "
        "DeviceMatrix<float> out, cudaStream_t) {\nuse<<<1, 1>>>(out.data);\nreturn {};\n}\n}\n",
        true);
    CHECK(wrong.verdict == Verdict::compile_error);
    REQUIRE_FALSE(wrong.compile.diagnostics.empty());
    CHECK(wrong.compile.diagnostics.front().line == 5);
}
