// What a call promises its caller: it waits for nothing, keeps to its stream, and leaves alone what is not
// its own.
#include "judged.h"

using namespace judged;

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
