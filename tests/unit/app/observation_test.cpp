#include "app/observation.h"

#include "build/memo.h"
#include "unit/folder.h"

#include <cstdlib>
#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

using model::IsolationLevel;
using nlohmann::json;

namespace {

/// A memo that says E, which no machine is observed to be on which these tests run.
struct Fixture {
    test::Folder folder;

    model::Isolation ask() const {
        return app::observe_or_remember(CANARY, folder.path() / "isolation.json");
    }
    json memo() const { return json::parse(build::read_memo(folder.path() / "isolation.json").value()); }
    void change(const char* key, const json& value) const {
        json changed = memo();
        changed[key] = value;
        build::write_memo(folder.path() / "isolation.json", changed.dump());
    }
    void remember_e() const {
        REQUIRE(ask().level != IsolationLevel::E);
        change("level", static_cast<int>(IsolationLevel::E));
    }
};

} // namespace

TEST_CASE_FIXTURE(Fixture, "what was observed a moment ago is remembered, with its evidence") {
    remember_e();
    change("missing", json::array({"nothing was tried"}));
    const model::Isolation isolation = ask();
    CHECK(isolation.level == IsolationLevel::E);
    CHECK(isolation.missing == std::vector<std::string>{"nothing was tried"});
}

TEST_CASE_FIXTURE(Fixture, "what was observed two minutes ago is observed again") {
    remember_e();
    change("seconds_since_boot", memo()["seconds_since_boot"].get<long long>() - 120);
    CHECK(ask().level != IsolationLevel::E);
}

TEST_CASE_FIXTURE(Fixture, "a memo from the future is not believed") {
    remember_e();
    change("seconds_since_boot", memo()["seconds_since_boot"].get<long long>() + 120);
    CHECK(ask().level != IsolationLevel::E);
}

TEST_CASE_FIXTURE(Fixture, "other circumstances are observed anew") {
    remember_e();
    setenv("ENGINE_ISOLATION_CEILING", "C", 1);
    const model::Isolation isolation = ask();
    unsetenv("ENGINE_ISOLATION_CEILING");
    CHECK(isolation.level == IsolationLevel::C);
}

TEST_CASE_FIXTURE(Fixture, "a damaged memo is replaced") {
    for (const char* text : {"", "{", "[]", "{\"circumstances\": 3}"}) {
        folder.write("isolation.json", text);
        ask();
        CHECK(memo().contains("level"));
    }
    remember_e();
    std::string text = folder.read("isolation.json");
    text[text.find("observed")] ^= 1; // one bit, in a word that nothing reads
    folder.write("isolation.json", text);
    CHECK(ask().level != IsolationLevel::E);
    change("level", 17);
    CHECK(static_cast<int>(ask().level) < 17);
}

TEST_CASE("without a folder nothing is kept") {
    CHECK(app::observe_or_remember(CANARY, "isolation.json").level != IsolationLevel::E);
    CHECK_FALSE(std::filesystem::exists("isolation.json"));
}
