// No macro tells a submission which of the builds that its grade rests on it is compiled in.
#include "build/prelude.h"
#include "workshop_fixture.h"

#include <set>
#include <sstream>

using build::Prelude;
using build::Variant;

namespace {

const char* const headers =
    "#include <atomic>\n#include <barrier>\n#include <chrono>\n#include <condition_variable>\n"
    "#include <cmath>\n#include <coroutine>\n#include <filesystem>\n#include <future>\n"
    "#include <immintrin.h>\n#include <iostream>\n#include <memory>\n#include <memory_resource>\n"
    "#include <mutex>\n#include <numeric>\n#include <random>\n#include <regex>\n#include <semaphore>\n"
    "#include <shared_mutex>\n#include <sstream>\n#include <string>\n#include <thread>\n"
    "#include <unordered_map>\n#include <valarray>\n#include <vector>\n#include <pthread.h>\n"
    "#include <sched.h>\n#include <unistd.h>\n";

using Lines = std::set<std::string>;

/// All macros after this source, as `variant` is compiled.
Lines macros(const std::string& source, model::Language language, Variant variant, Prelude prelude) {
    const test::Fixture& fixture = test::fixture();
    build::Layout layout = fixture.setup.layout;
    layout.emulator = test::fs::path(ENGINE_SOURCE_DIR) / "validator/emulator/include";
    model::Problem problem = fixture.setup.problem;
    problem.language = language;
    const test::fs::path name = language == model::Language::cpp ? "twice.cpp" : "twice.cu";
    problem.files = {name};
    const test::Folder folder;
    test::write(folder.path() / name, source);
    const test::fs::path header = prelude == Prelude::none ? "" : layout.preludes / file_name(prelude);
    const build::Plan plan = make_plan(problem, fixture.workshop.toolchain(), layout, variant,
                                       {folder.path(), header, ""}, build::Main::shim);
    std::vector<std::string> arguments = plan.translations.at(0).arguments;
    arguments.resize(arguments.size() - 4); // -c SOURCE -o OBJECT
    const std::string said = (folder.path() / "macros").string();
    for (const std::string& more :
         {std::string("-dM"), std::string("-E"), std::string("-x"), std::string("c++"),
          (folder.path() / name).string(), std::string("-o"), said})
        arguments.push_back(more);
    const auto outcome = test::run(fixture.workshop.toolchain().compiler, arguments);
    if (!outcome.ok()) throw std::runtime_error(outcome.output);
    Lines lines;
    std::istringstream text(build::read_file(said).value());
    for (std::string line; std::getline(text, line);)
        if (!line.starts_with("#define __global__")) // an attribute in the trace: see docs/security.md
            lines.insert(line);
    return lines;
}

/// What only one of the two has.
Lines difference(const Lines& a, const Lines& b) {
    Lines result;
    std::ranges::set_symmetric_difference(a, b, std::inserter(result, result.end()));
    return result;
}

void expect_equal(model::Language language, const std::vector<Variant>& variants,
                  const std::vector<Prelude>& preludes) {
    for (const Prelude prelude : preludes)
        for (const std::string& source : {std::string(), std::string(headers)}) {
            const Lines judged = macros(source, language, variants.front(), prelude);
            CHECK(judged.size() > 300);
            for (const Variant variant : variants) {
                CAPTURE(static_cast<int>(variant));
                CAPTURE(file_name(prelude));
                for (const std::string& line : difference(judged, macros(source, language, variant, prelude)))
                    FAIL_CHECK(line);
            }
        }
}

} // namespace

TEST_CASE("the builds of C++ have the same macros, before and after standard headers") {
    if (!test::fixture().workshop.toolchain().sanitizers) return;
    expect_equal(model::Language::cpp, {Variant::optimised, Variant::sanitized, Variant::threaded},
                 {Prelude::none, Prelude::light, Prelude::full});
}

TEST_CASE("the builds of CUDA for the emulator have the same macros") {
    if (test::fixture().workshop.toolchain().family != build::Family::gcc) return;
    expect_equal(model::Language::cuda, {Variant::emulated, Variant::traced}, {Prelude::cuda});
}

TEST_CASE("a build that is not graded, for a debugger, has other macros") {
    const auto of = [](Variant variant) { return macros("", model::Language::cpp, variant, Prelude::light); };
    CHECK(difference(of(Variant::optimised), of(Variant::debugged)).contains("#define __OPTIMIZE__ 1"));
}
