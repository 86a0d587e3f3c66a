// What no single run of a kernel shows: results that depend on the order of threads, and what a call promises
// its caller.
#include "judged.h"

using namespace judged;

namespace {

/// A lookup that copies as many rows as a kernel before it has counted: `body` adds 1 to `*n` for each
/// thread.
std::string counting(const std::string& body) {
    return R"(#include "contract.h"
namespace exercise {
namespace {
__global__ void count(int* n, int* lock, int rows) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= rows) return;
    )" + body +
           R"(
}
__global__ void copy_counted(DeviceMatrix<const float> table, DeviceSpan<const TokenId> ids,
                             DeviceMatrix<float> out, const int* n) {
    const long long row = blockIdx.x;
    if (row >= *n) return;
    const bool known = ids[row] >= 0 && ids[row] < static_cast<long long>(table.rows);
    for (long long c = threadIdx.x; c < static_cast<long long>(table.cols); c += blockDim.x)
        out(row, c) = known ? table(ids[row], c) : __int_as_float(0x7fc00000);
}
} // namespace
Status lookup(DeviceMatrix<const float> table, DeviceSpan<const TokenId> ids, DeviceMatrix<float> out,
              cudaStream_t stream) {
    if (out.rows != ids.size() || out.cols != table.cols) return {Code::shape_mismatch};
    if (out.rows == 0 || out.cols == 0) return {};
    const int rows = static_cast<int>(ids.size());
    int* n = nullptr;
    cudaMallocAsync(&n, 2 * sizeof(int), stream);
    cudaMemsetAsync(n, 0, 2 * sizeof(int), stream);
    count<<<(rows + 7) / 8, 8, 0, stream>>>(n, n + 1, rows);
    copy_counted<<<rows, 64, 0, stream>>>(table, ids, out, n);
    cudaFreeAsync(n, stream);
    return {};
}
} // namespace exercise
)";
}

} // namespace

TEST_CASE("what depends on the order of threads fails with every seed") {
    const auto verdict = [](const std::string& body, std::uint64_t seed) {
        const model::Judgement judgement = fixture().judge(counting(body), false, seed);
        for (const auto& diagnostic : judgement.compile.diagnostics)
            INFO(diagnostic.message);
        CHECK(judgement.compile.ok);
        return judgement.verdict;
    };
    constexpr std::string_view programs[] = {
        "if (atomicAdd(lock, 1) == rows - 1) *n = i + 1;", // whoever comes last is taken for the last one
        "const int old = atomicAdd(n, 0); atomicCAS(n, old, old + 1);", // a swap that does not try again
        "const int old = atomicAdd(n, 0); atomicExch(n, old + 1);",     // two operations taken for one
        "while (atomicAdd(lock, 0) != 0) {} atomicExch(lock, 1);\n" // a lock that is looked at, then taken
        "const int old = atomicAdd(n, 0); atomicExch(n, old + 1); atomicExch(lock, 0);",
    };
    for (std::uint64_t seed = 1; seed <= 2; ++seed) {
        CAPTURE(seed);
        for (const std::string_view body : programs) {
            CAPTURE(body);
            CHECK(verdict(std::string(body), seed) == Verdict::wrong_answer);
        }
        CHECK(verdict("atomicAdd(n, 1);", seed) == Verdict::accepted);
        CHECK(verdict("while (atomicCAS(lock, 0, 1) != 0) {}\n__threadfence(); *n += 1; __threadfence();\n"
                      "atomicExch(lock, 0);",
                      seed) == Verdict::accepted);
    }
}

TEST_CASE("atomics order what CUDA says that they order") {
    const std::string loop = "int seen, old = *n;\ndo { seen = old; old = atomicCAS(n, seen, seen + 1); } "
                             "while (old != seen);";
    CHECK(fixture().judge(counting(loop)).verdict == Verdict::accepted);
    const std::string group = "auto group = cooperative_groups::coalesced_threads();\n"
                              "if (group.thread_rank() == 0) atomicAdd(n, static_cast<int>(group.size()));";
    CHECK(fixture().judge("#include <cooperative_groups.h>\n" + counting(group)).verdict ==
          Verdict::accepted);
    const std::string text = counting("atomicAdd_block(n, 1); // of its block");
    const model::Judgement judgement = fixture().judge(text);
    CHECK(judgement.verdict == Verdict::run_time_error);
    CHECK(std::ranges::any_of(judgement.sanitizer.findings, [&](const model::SanitizerFinding& finding) {
        return kind_name(finding) == "race_between_blocks" &&
               finding.line == line_of(text, "// of its block");
    }));
}

namespace {

/// The reference of cuda-lookup, with something else before and after its launch.
std::string around_the_launch(const std::string& before, const std::string& after,
                              const std::string& stream = "stream") {
    std::string text = read("reference/cuda-lookup/lookup.cu");
    const std::string launch = "    copy_rows<<<grid, block, 0, stream>>>(table, ids, out);\n";
    const std::size_t at = text.find(launch);
    REQUIRE(at != std::string::npos);
    return text.replace(at, launch.size(),
                        "    " + before + "\n    copy_rows<<<grid, block, 0, " + stream +
                            ">>>(table, ids, out);\n    " + after + "\n");
}

} // namespace

TEST_CASE("a call that breaks what the contract promises is refused, with the call and its line") {
    struct Row {
        const char* before;
        const char* after;
        const char* stream;
        const char* kind;
        const char* says;
        const char* mark; ///< in the line that is named
    };
    const std::string take = "int* x = nullptr; cudaMallocAsync(&x, 64, stream);";
    const Row rows[] = {
        {"", "cudaDeviceSynchronize();", "stream", "call_waits", "cudaDeviceSynchronize waits",
         "cudaDeviceSynchronize"},
        {"", "cudaStreamSynchronize(stream);", "stream", "call_waits", "cudaStreamSynchronize waits",
         "cudaStreamSynchronize"},
        {"int* x = nullptr; cudaMalloc(&x, 64);", "cudaFreeAsync(x, stream);", "stream", "call_waits",
         "cudaMalloc waits", "cudaMalloc(&x"},
        {take.c_str(), "cudaFree(x);", "stream", "call_waits", "cudaFree waits", "cudaFree(x)"},
        {"TokenId first; cudaMemcpy(&first, ids.data(), sizeof first, cudaMemcpyDeviceToHost);", "", "stream",
         "call_waits", "cudaMemcpy waits", "cudaMemcpy("},
        {"", "", "0", "wrong_stream", "copy_rows is launched on the default stream", "copy_rows<<<"},
        {take.c_str(), "cudaMemset(x, 0, 64); cudaFreeAsync(x, stream);", "stream", "wrong_stream",
         "cudaMemset works on the default stream", "cudaMemset("},
        {take.c_str(), "", "stream", "not_given_back", "64 bytes of cudaMallocAsync", "cudaMallocAsync"},
    };
    for (const Row& row : rows) {
        CAPTURE(row.says);
        const std::string text = around_the_launch(row.before, row.after, row.stream);
        const model::Judgement judgement = fixture().judge(text);
        CHECK(judgement.verdict == Verdict::run_time_error);
        CHECK(std::ranges::any_of(judgement.sanitizer.findings, [&](const model::SanitizerFinding& finding) {
            return kind_name(finding) == row.kind && says(finding.text, row.says) &&
                   finding.file == "lookup.cu" && finding.line == line_of(text, row.mark);
        }));
    }
}

TEST_CASE("scratch memory in the order of the stream, and another stream that is joined, break nothing") {
    CHECK(fixture()
              .judge(around_the_launch("int* x = nullptr; cudaMallocAsync(&x, 64, stream); "
                                       "cudaMemsetAsync(x, 0, 64, stream);",
                                       "cudaFreeAsync(x, stream);"))
              .verdict == Verdict::accepted);
    CHECK(fixture()
              .judge(around_the_launch(
                  "cudaStream_t side; cudaStreamCreateWithFlags(&side, cudaStreamNonBlocking);\n"
                  "cudaEvent_t event; cudaEventCreate(&event); cudaEventRecord(event, stream); "
                  "cudaStreamWaitEvent(side, event, 0);",
                  "cudaEventRecord(event, side); cudaStreamWaitEvent(stream, event, 0);\n"
                  "cudaEventDestroy(event); cudaStreamDestroy(side);",
                  "side"))
              .verdict == Verdict::accepted);
}

TEST_CASE("work on another stream waits for the caller's, and is waited for") {
    const std::string side = "cudaStream_t side; cudaStreamCreateWithFlags(&side, cudaStreamNonBlocking); "
                             "cudaEvent_t event; cudaEventCreate(&event);\n";
    const std::string fork = "cudaEventRecord(event, stream); cudaStreamWaitEvent(side, event, 0);\n";
    const std::string join = "cudaEventRecord(event, side); cudaStreamWaitEvent(stream, event, 0);\n";
    const std::string end = "cudaEventDestroy(event); cudaStreamDestroy(side);";
    struct Row {
        std::string before, after;
        const char* says;
    };
    const Row rows[] = {
        {side, join + end, "does not wait for the one that was given"},
        {side + fork, end, "the one that was given does not wait for it"},
        {side + fork + join, end, "the one that was given does not wait for it"}, // before there is work
    };
    for (const Row& row : rows) {
        const std::string text = around_the_launch(row.before, row.after, "side");
        CAPTURE(text);
        const model::Judgement judgement = fixture().judge(text);
        CHECK(judgement.verdict == Verdict::run_time_error);
        REQUIRE_FALSE(judgement.sanitizer.findings.empty());
        const model::SanitizerFinding& finding = judgement.sanitizer.findings.front();
        CHECK(kind_name(finding) == "race_between_streams");
        CHECK(says(finding.text, row.says));
        CHECK(finding.file == "lookup.cu");
        CHECK(finding.line == line_of(text, "copy_rows<<<"));
        CHECK(says(finding.text, "the other place is at lookup.cu:"));
    }
}

TEST_CASE("a call writes no variable of the device, which calls on two streams would share") {
    struct Row {
        const char* variable;
        const char* before;
        const char* says;
        const char* mark;
    };
    const Row rows[] = {
        {"__device__ int calls;\n__global__ void count() {\n    atomicAdd(&calls, 1); // here\n}\n",
         "count<<<1, 1, 0, stream>>>();", "count writes a variable of the device", "// here"},
        {"__device__ int calls;\n__global__ void count(int* to) {\n    *to = 1; // here\n}\n",
         "int* to = nullptr; cudaGetSymbolAddress((void**)&to, calls); count<<<1, 1, 0, stream>>>(to);",
         "count writes a variable of the device", "// here"},
        {"__device__ int calls;\n__global__ void count() { (void)calls; }\n",
         "void* to = nullptr; cudaGetSymbolAddress(&to, calls); cudaMemsetAsync(to, 0, 4, stream);",
         "cudaMemsetAsync writes a variable of the device", "cudaMemsetAsync"},
        {"__constant__ int width;\n__global__ void read() { (void)width; }\n",
         "const int columns = 3; cudaMemcpyToSymbolAsync(width, &columns, 4, 0, cudaMemcpyHostToDevice, "
         "stream);",
         "An asynchronous copy of a symbol writes a variable of the device", "cudaMemcpyToSymbolAsync"},
    };
    const auto judged = [](const Row& row) {
        std::string text = around_the_launch(row.before, "");
        text.insert(text.find("__global__"), row.variable);
        return std::pair{text, fixture().judge(text)};
    };
    for (const Row& row : rows) {
        CAPTURE(row.before);
        const auto [text, judgement] = judged(row);
        CHECK(judgement.compile.ok);
        CHECK(judgement.verdict == Verdict::run_time_error);
        CHECK(std::ranges::any_of(judgement.sanitizer.findings, [&](const model::SanitizerFinding& finding) {
            return kind_name(finding) == "variable_written" && says(finding.text, row.says) &&
                   finding.line == line_of(text, row.mark);
        }));
    }
    const auto [text, judgement] =
        judged({"__device__ int calls = 1;\n__global__ void count() {\n    if (calls == 0) __trap();\n}\n",
                "count<<<1, 1, 0, stream>>>();", "", ""});
    CHECK(judgement.verdict == Verdict::accepted);
}

TEST_CASE("padding or an input that is written, be it with what was there, is refused at its line") {
    struct Row {
        const char *kernel, *after, *mark;
    };
    const auto judged = [](const Row& row) {
        std::string text = around_the_launch("", row.after);
        text.insert(text.find("__global__"), row.kernel);
        return std::pair{text, fixture().judge(text)};
    };
    const Row rows[] = {
        {"__global__ void back(int* at, int bits) {\n    *at ^= bits; // here\n}\n",
         "if (out.rows > 1 && out.stride > out.cols) back<<<1, 1, 0, stream>>>((int*)(out.row(0) + "
         "out.cols), 0);",
         "// here"},
        {"__global__ void back(float* from) {\n    atomicAdd(from, -0.0f); // here\n}\n",
         "if (table.rows > 0) back<<<1, 1, 0, stream>>>(const_cast<float*>(table.data));", "// here"},
        {"",
         "cudaMemcpyAsync(const_cast<TokenId*>(ids.data()), ids.data(), 4, cudaMemcpyDeviceToDevice, "
         "stream);",
         "cudaMemcpyAsync"},
    };
    for (const Row& row : rows) {
        CAPTURE(std::string(row.after));
        const auto [text, judgement] = judged(row);
        CHECK(judgement.compile.ok);
        CHECK(judgement.verdict == Verdict::run_time_error);
        CHECK(std::ranges::any_of(judgement.sanitizer.findings, [&](const model::SanitizerFinding& finding) {
            return kind_name(finding) == "padding_written" && finding.line == line_of(text, row.mark);
        }));
    }
    // It may be read.
    const Row reads{"__global__ void look(DeviceMatrix<float> at) {\n"
                    "    if (at.row(0)[at.cols] == 123.456f) __trap();\n}\n",
                    "if (out.rows > 1 && out.stride > out.cols) look<<<1, 1, 0, stream>>>(out);", ""};
    CHECK(judged(reads).second.verdict == Verdict::accepted);
}

TEST_CASE("a call leaves the last error to its caller") {
    const std::string takes = around_the_launch("", "cudaGetLastError();");
    const model::Judgement judgement = fixture().judge(takes);
    CHECK(judgement.verdict == Verdict::run_time_error);
    REQUIRE_FALSE(judgement.sanitizer.findings.empty());
    CHECK(kind_name(judgement.sanitizer.findings.front()) == "error_taken");
    CHECK(judgement.sanitizer.findings.front().line == line_of(takes, "cudaGetLastError"));
    CHECK(fixture()
              .judge(around_the_launch("", "if (cudaPeekAtLastError() != cudaSuccess) return {};"))
              .verdict == Verdict::accepted);
}

TEST_CASE("an index outside of a device array is refused, with its line") {
    const auto judged = [](const std::string& index) {
        const std::string text = program("__device__ float scale[8];\n"
                                         "__global__ void read(int n) {\n"
                                         "    if (scale[n] != 0.0f) __trap(); // here\n"
                                         "}",
                                         "read<<<1, 1, 0, stream>>>(" + index + ");");
        const model::Judgement judgement = fixture().judge_briefly(text);
        return std::ranges::any_of(judgement.sanitizer.findings, [&](const model::SanitizerFinding& finding) {
            return kind_name(finding) == "out_of_bounds" && says(finding.text, "index 8 of an array") &&
                   finding.file == "lookup.cu" && finding.line == line_of(text, "// here");
        });
    };
    CHECK(judged("8"));
    CHECK_FALSE(judged("7"));
}

TEST_CASE("a grid that counts rows in y is refused, though no call could be run that shows it") {
    std::string text = read("reference/cuda-lookup/lookup.cu");
    const auto change = [&](const std::string& from, const std::string& to) {
        const std::size_t at = text.find(from);
        REQUIRE(at != std::string::npos);
        text.replace(at, from.size(), to);
    };
    change("    const std::size_t element =", "    const std::size_t row = blockIdx.y, c = threadIdx.x;\n"
                                              "    if (row >= out.rows || c >= out.cols) return;\n    //");
    change("    if (element >= out.rows", "    //");
    change("    const std::size_t row = element", "    //");
    change("copy_rows<<<grid,", "copy_rows<<<dim3(1, static_cast<unsigned int>(out.rows)),");
    change("const auto grid =", "[[maybe_unused]] const auto grid =");
    change("block = 256", "block = 1024");
    const model::Judgement judgement = fixture().judge(text, true);
    CAPTURE(text);
    CHECK(judgement.compile.ok);
    CHECK(std::ranges::any_of(judgement.sanitizer.findings, [&](const model::SanitizerFinding& finding) {
        return kind_name(finding) == "launch_refused" && says(finding.text, "65535") &&
               finding.line == line_of(text, "copy_rows<<<");
    }));
}

TEST_CASE("a refused call launches nothing") {
    std::string text = read("reference/cuda-lookup/lookup.cu");
    const std::string refusal = "    if (out.rows != ids.size()";
    text.insert(text.find(refusal),
                "    copy_rows<<<1, 1, 0, stream>>>(table, ids, DeviceMatrix<float>());\n");
    const model::Judgement judgement = fixture().judge(text);
    CHECK(judgement.verdict == Verdict::wrong_answer);
    CHECK(std::ranges::any_of(judgement.tests, [](const model::TestResult& test) {
        return test.name == "sizes that do not fit are refused" &&
               says(test.message, "a refused call launches nothing");
    }));
}
