// A whole kit, from the package to programs that run.
#include "kit/kit.h"

#include "collection.h"
#include "model/errors.h"

#include <algorithm>
#include <sys/eventfd.h>

namespace {

/// This build's engine. The cache stays, since the headers of suites take seconds to precompile.
struct Engine {
    std::vector<std::string> progress;
    build::Layout layout = build::read_layout(ENGINE_LAYOUT);
    build::Workshop workshop{
        layout, {[this](std::string_view text) { progress.emplace_back(text); }, {}}, ENGINE_CACHE "/engine"};
    kit::Kits kits{workshop};

    /// So often was it said that the problem is being prepared.
    auto announcements() const { return std::ranges::count(progress, "preparing twice, once"); }
};

/// Makes the suite, and a mistake, another one than in any earlier run.
void make_new(test::Collection& collection) {
    const auto now = std::chrono::system_clock::now().time_since_epoch().count();
    const std::string mark = "// " + std::to_string(now);
    const char* suite = "problems/twice/suite.cpp";
    collection.put(suite, build::read_file(collection.root() / suite).value() + mark);
    collection.problem.mistakes.back().program += mark;
}

/// What a program says to an empty request.
sys::RunOutcome run(const build::CachedWorker& program) {
    sys::Command command;
    command.program = program.path;
    command.program_fd = program.fd.get();
    return sys::run(command, {});
}

} // namespace

TEST_CASE("a kit is made from its package, says so once, and is there for the next who asks") {
    test::Collection collection;
    make_new(collection);
    const Engine engine;
    {
        const kit::Kit kit(engine.kits, collection.problem, -1);
        CHECK(kit.mistakes_if_made() == nullptr);
        kit.wait();
        CHECK(engine.announcements() == 1);
        CHECK(kit.mistakes_if_made() == &kit.mistakes());
        CHECK(kit.table().object.get().starts_with("\177ELF"));
        CHECK(run(kit.driver()).exit.code == 1);     // no request is no JSON
        CHECK(run(kit.mistakes()).exit.code == 125); // the worker's word for a name that it does not know
    }
    const kit::Kit again(engine.kits, collection.problem, -1);
    CHECK(again.mistakes_if_made() != nullptr);
    again.driver();
    CHECK(engine.announcements() == 1);
}

TEST_CASE("mistakes that do not compile cost neither driver nor table") {
    test::Collection collection;
    collection.add_mistake("no-such-type", "integer(value)");
    const Engine engine;
    const kit::Kit kit(engine.kits, collection.problem, -1);
    CHECK_NOTHROW(kit.driver());
    CHECK_NOTHROW(kit.table().object.get());
    CHECK_THROWS_WITH_AS(kit.mistakes(), doctest::Contains("no-such-type.cpp:3:"), model::ContentError);
    CHECK(kit.mistakes_if_made() == nullptr);
}

TEST_CASE("a suite that does not compile is told with file, line and the compiler's message") {
    test::Collection collection;
    collection.put("problems/twice/suite.cpp",
                   "#include \"harness/suite.h\"\n#include \"subject/proxies.h\"\n"
                   "TEST_CASE(\"two\") {\n    CHECK(subject::thrice(2) == 4);\n}\n");
    const Engine engine;
    const kit::Kit kit(engine.kits, collection.problem, -1);
    CHECK_THROWS_WITH_AS(kit.driver(), doctest::Contains("problems/twice/suite.cpp:4:"), model::ContentError);
    CHECK_THROWS_WITH_AS(kit.driver(), doctest::Contains("thrice"), model::ContentError);
}

TEST_CASE("a reference that lacks a function is told by its name") {
    test::Collection collection;
    collection.put("reference/twice/twice.cpp", "#include \"contract.h\"\n");
    const Engine engine;
    const kit::Kit kit(engine.kits, collection.problem, -1);
    CHECK_THROWS_WITH_AS(kit.driver(), doctest::Contains("reference::twice"), model::ContentError);
}

TEST_CASE("a contract that changes or disappears while it is judged against is the package's fault") {
    test::Collection collection;
    make_new(collection);
    const Engine engine;
    const kit::Kit kit(engine.kits, collection.problem, -1);
    CHECK_NOTHROW(kit.require_contract());
    collection.put("exercises/twice/more.h", "");
    CHECK_THROWS_WITH_AS(kit.require_contract(), doctest::Contains("it changed while twice was judged"),
                         model::ContentError);
    test::fs::remove_all(collection.root() / "exercises");
    CHECK_THROWS_WITH_AS(kit.require_contract(), doctest::Contains("exercises/twice/contract.h"),
                         model::ContentError);
}

TEST_CASE("a kit that is interrupted, or no longer wanted, leaves no half-made part") {
    test::Collection collection;
    make_new(collection);
    const Engine engine;
    { const kit::Kit unwanted(engine.kits, collection.problem, -1); }
    const sys::Fd interrupt(eventfd(1, EFD_CLOEXEC));
    const kit::Kit interrupted(engine.kits, collection.problem, interrupt.get());
    CHECK_THROWS_AS(interrupted.driver(), model::Interrupted);
    CHECK_THROWS_AS(interrupted.mistakes(), model::Interrupted);
    for (const auto& entry : test::fs::directory_iterator(engine.workshop.cache().folder()))
        CHECK_FALSE(entry.path().filename().string().starts_with("scratch-"));

    const kit::Kit whole(engine.kits, collection.problem, -1);
    CHECK_NOTHROW(whole.wait());
}
