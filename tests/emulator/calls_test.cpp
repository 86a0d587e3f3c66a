// What no single run of a kernel shows: results that depend on the order of threads, and what atomics order;
// and launches that nobody could wait for.
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
