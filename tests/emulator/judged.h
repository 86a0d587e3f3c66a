#pragma once

#include "build/file.h"
#include "catalogue/catalogue.h"
#include "isolation/observe.h"
#include "judge.h"

#include <algorithm>
#include <doctest/doctest.h>
#include <string>
#include <string_view>

/// Submissions to a CUDA problem, judged as the engine judges them.
namespace judged {

using model::Verdict;
namespace fs = std::filesystem;

inline const fs::path source = ENGINE_SOURCE_DIR;

struct JudgeFixture {
    build::Layout layout = build::read_layout(ENGINE_LAYOUT);
    model::Problem problem = catalogue::load_problem(
        {layout.problems, layout.exercises, layout.reference, layout.starters, layout.schemas},
        "cuda-lookup");
    build::Workshop workshop{layout, {}, ENGINE_CACHE};
    kit::Kits kits{workshop};
    kit::Kit kit{kits, problem, -1};
    std::shared_future<model::Isolation> isolation = judge::known(isolation::observe(layout.canary));

    model::Judgement judge(const std::string& text, bool graded = false, std::uint64_t seed = 7) const {
        return judge(problem, text, graded, seed);
    }

    /// By the first test alone, in which no call may take long.
    model::Judgement judge_briefly(const std::string& text) const {
        model::Problem brief = problem;
        brief.tests.resize(1);
        brief.limits.wall = std::chrono::milliseconds(300);
        return judge(brief, text, false, 7);
    }

  private:
    model::Judgement judge(const model::Problem& by, const std::string& text, bool graded,
                           std::uint64_t seed) const {
        return judge::judge(workshop,
                            {by, kit, {"lookup.cu", {{"lookup.cu", text}}}, graded, seed, isolation, -1});
    }
};

inline const JudgeFixture& fixture() {
    static const JudgeFixture one;
    return one;
}

inline std::string read(const fs::path& file) {
    return build::read_file(source / file).value();
}

/// The line of a text that holds `mark`, counted from 1.
inline int line_of(const std::string& text, const std::string& mark) {
    return 1 + static_cast<int>(std::count(
                   text.begin(), text.begin() + static_cast<std::ptrdiff_t>(text.find(mark)), '\n'));
}

/// A kernel and its launch in place of the whole task.
inline std::string program(const std::string& kernel, const std::string& launch) {
    return "#include \"contract.h\"\n#include <cstdio>\nnamespace exercise {\nnamespace {\n" + kernel +
           "\n}\nStatus lookup(DeviceMatrix<const float> table, DeviceSpan<const TokenId> ids, "
           "DeviceMatrix<float> out, cudaStream_t stream) {\n(void)table, (void)ids, (void)out, "
           "(void)stream;\n" +
           launch + "\nreturn {};\n}\n}\n";
}

inline bool says(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

} // namespace judged
