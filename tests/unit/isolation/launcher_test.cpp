// What a launcher may do besides, in the sandbox of the worker that it starts, and what it may not.
#include "isolation/level.h"
#include "isolation/observe.h"
#include "isolation/worker.h"
#include "levels.h"
#include "model/errors.h"
#include "specimen.h"

#include <algorithm>
#include <doctest/doctest.h>

namespace {

const model::Launcher env{"/usr/bin/env", {}, {}};

std::string answer(const Specimen& specimen, std::vector<std::string> arguments) {
    sys::Command command = specimen.command({});
    command.program = env.program;
    command.program_fd = -1;
    command.arguments = {sys::program_in_sandbox};
    command.arguments.insert(command.arguments.end(), arguments.begin(), arguments.end());
    command.confinement = isolation::confine_worker({.limits = small_limits(),
                                                     .program_fd = specimen.program.get(),
                                                     .gpu_files = {"/dev/null"},
                                                     .launcher = env});
    std::string text = sys::run(command, {std::chrono::seconds(10), 4096}).output;
    if (text.ends_with('\n')) text.pop_back();
    return text;
}

} // namespace

TEST_CASE("a launcher starts the program by its path, and neither sees the host's files") {
    const Specimen specimen;
    at_each_level("AB", [&](char) {
        CHECK(answer(specimen, {"open", "/dev/null"}) == "opened");
        CHECK(answer(specimen, {"open", sys::program_in_sandbox}) == "opened");
        CHECK(answer(specimen, {"open", env.program}) == "opened");
        for (const char* file : {"/etc/passwd", "/usr/bin/true", CANARY})
            CHECK(answer(specimen, {"open", file}) != "opened");
    });
}

TEST_CASE("a canary below a launcher can do what launchers need, and nothing else") {
    at_each_level("AB",
                  [&](char) { CHECK(isolation::obstacle_to_launcher(CANARY, {"/dev/null"}, env) == ""); });
    isolation::CanaryReport report;
    CHECK_FALSE(isolation::possible_with_gpu(report, true).empty()); // what was not tried counts as possible
    for (const std::string& act : isolation::possible_with_gpu(report))
        report.acts[act] = "EPERM";
    CHECK(isolation::possible_with_gpu(report, true).empty());
    report.acts["fork"] = "done";
    CHECK(isolation::possible_with_gpu(report, true).empty());
    CHECK(isolation::possible_with_gpu(report) == std::vector<std::string>{"fork"});
    report.acts["socket"] = "done";
    CHECK(isolation::possible_with_gpu(report, true) == std::vector<std::string>{"socket"});
}

TEST_CASE("without namespaces of its own there is no launcher") {
    const Ceiling ceiling('C');
    CHECK(isolation::obstacle_to_launcher(CANARY, {"/dev/null"}, env).find("namespaces") !=
          std::string::npos);
}
