#include "events/request.h"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

using namespace events;

TEST_CASE("a request comes back whole") {
    Request request;
    request.seed = ~std::uint64_t{0};
    request.tests = {"a, b", "it's \"quoted\" *"};
    request.check = model::Check::races;
    request.gpu_files = {"/dev/nvidia0"};
    request.launcher = {"/bin/checker", {"--tool", "x"}, {"/lib/checker"}};
    request.one_worker = true;
    request.without_large = true;
    request.thorough = true;
    request.coverage = true;
    request.implementation = "off-by-one";
    request.mistakes = {{"one", {"a"}, {"b", "c"}}, {"two", {}, {}}};
    request.hunt = {"unchanged", "12"};
    request.limits = {std::chrono::milliseconds(1), std::chrono::seconds(2), 3, 4, 5, 6};
    request.controlled = true;
    request.record = true;
    request.budget = std::chrono::milliseconds(7);
    request.total = std::chrono::milliseconds(8);
    request.slowdown = 9;
    const Request read = read_request(write_request(request));
    CHECK(read.seed == request.seed);
    CHECK(read.tests == request.tests);
    CHECK(read.check == model::Check::races);
    CHECK(read.gpu_files == request.gpu_files);
    CHECK(read.launcher == request.launcher);
    CHECK(read.one_worker);
    CHECK(read.without_large);
    CHECK(read.thorough);
    CHECK(read.coverage);
    CHECK(read.implementation == "off-by-one");
    CHECK(read.mistakes == request.mistakes);
    CHECK(read.hunt == request.hunt);
    CHECK(read.limits.wall == request.limits.wall);
    CHECK(read.limits.cpu == request.limits.cpu);
    CHECK(read.limits.memory_mib == 3);
    CHECK(read.limits.output_kib == 4);
    CHECK(read.limits.threads == 5);
    CHECK(read.limits.stack_mib == 6);
    CHECK(read.controlled);
    CHECK(read.record);
    CHECK(read.budget.count() == 7);
    CHECK(read.total.count() == 8);
    CHECK(read.slowdown == 9);
}

TEST_CASE("a request that lacks something is refused") {
    CHECK_THROWS_AS(read_request("{}"), nlohmann::json::exception);
    CHECK_THROWS_AS(read_request(""), nlohmann::json::exception);
}

TEST_CASE("a suspect may fail what it always or sometimes fails") {
    const Suspect suspect{"one", {"a"}, {"b"}};
    CHECK(suspect.may_fail("a"));
    CHECK(suspect.may_fail("b"));
    CHECK_FALSE(suspect.may_fail("c"));
}
