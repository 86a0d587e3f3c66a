#pragma once

// Runs the fixture's driver with its worker.
#include "supervisor/driver.h"
#include "system/fd.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <string>
#include <vector>

using namespace events;

inline DriverRun run(const std::vector<std::string>& tests, const std::vector<std::string>& hunt = {},
                     const std::vector<Suspect>& mistakes = {}) {
    const sys::Fd worker(open(FIXTURE_WORKER, O_RDONLY | O_CLOEXEC));
    REQUIRE(worker);
    supervisor::DriverJob job;
    job.driver = FIXTURE_DRIVER;
    job.worker_fd = worker.get();
    job.request.tests = tests;
    job.request.hunt = hunt;
    const sys::Fd known(open(FIXTURE_MISTAKES, O_RDONLY | O_CLOEXEC));
    REQUIRE(known);
    job.mistakes_fd = known.get();
    job.request.mistakes = mistakes;
    DriverRun result = supervisor::run_driver(job);
    CHECK_MESSAGE(result.complete, result.trouble);
    return result;
}

inline std::vector<CaseEnded> ended(const DriverRun& run) {
    std::vector<CaseEnded> cases;
    for (const Event& event : run.events)
        if (const auto* one = std::get_if<CaseEnded>(&event)) cases.push_back(*one);
    return cases;
}
