#include "app/teaching/cluster_files.h"

#include "model/errors.h"
#include "unit/folder.h"

#include <doctest/doctest.h>

using teaching::ClusterFiles;
using teaching::ClusterPiece;
using teaching::NotJudged;
using teaching::Result;

namespace {

struct Shared : test::Folder {
    ClusterFiles files{path() / "shared"};

    Shared() { files.make(); }
};

} // namespace

TEST_CASE_FIXTURE(Shared, "a task is read as it was written, whatever bytes its sources have") {
    const std::string bytes("int a;\0\xff\xfe\r\n", 11);
    files.write_task(
        3, {{{"first-row", UINT64_MAX, true, true}, "key", "hash", {{"row.cpp", bytes}, {"more.h", ""}}}},
        std::chrono::seconds(7));
    const ClusterFiles::Task task = files.read_task(3);
    REQUIRE(task.pieces.size() == 1);
    CHECK(task.cpu == std::chrono::seconds(7));
    CHECK(task.pieces[0].how.problem == "first-row");
    CHECK(task.pieces[0].how.seed == UINT64_MAX);
    CHECK(task.pieces[0].how.thorough);
    CHECK(task.pieces[0].how.on_gpu);
    CHECK(task.pieces[0].files.at(0).text == bytes);
    CHECK(task.pieces[0].files.at(1).name == "more.h");
    files.write_task(3, {}, {});
    CHECK_FALSE(files.read_task(3).cpu);
}

TEST_CASE_FIXTURE(Shared, "a task that is missing or not whole is an error of the environment") {
    CHECK_THROWS_AS(files.read_task(0), model::EnvironmentError);
    write("shared/tasks/0", "{\"cpu_s\": 0, \"pie");
    CHECK_THROWS_AS(files.read_task(0), model::EnvironmentError);
    write("shared/tasks/0", "{}");
    CHECK_THROWS_AS(files.read_task(0), model::EnvironmentError);
}

TEST_CASE_FIXTURE(Shared, "a result is taken once, and a failure is one") {
    CHECK_FALSE(files.take_result("key"));
    files.write_result("key", Result{"a report"});
    CHECK(std::get<std::string>(*files.take_result("key")) == "a report");
    CHECK_FALSE(files.take_result("key"));
    files.write_result("key", Result{NotJudged{"no memory"}});
    CHECK(std::get<NotJudged>(*files.take_result("key")).why == "no memory");
}

TEST_CASE_FIXTURE(Shared, "what the last run left is there for the next, but a refused node is asked again") {
    files.write_job(42);
    files.write_result("key", Result{"a report"});
    files.refuse_node("n1", "level C");
    CHECK(files.refused_nodes() == std::map<std::string, std::string>{{"n1", "level C"}});
    files.make();
    CHECK(files.read_job() == 42);
    CHECK(files.take_result("key"));
    CHECK(files.refused_nodes().empty());
    files.remove();
    CHECK_FALSE(std::filesystem::exists(files.folder()));
    CHECK(files.read_job() == 0);
}
