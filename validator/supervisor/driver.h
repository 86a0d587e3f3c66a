#pragma once

#include "events/event.h"
#include "events/request.h"
#include "model/judgement.h"

#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>

/// The supervisor's hold on a driver: starts it, listens, and ends it when its time is up.
namespace supervisor {

struct DriverJob {
    std::filesystem::path
        driver;            ///< the problem's driver program, or what to call it where `driver_fd` is set
    int driver_fd = -1;    ///< the open program; -1: the one at that path
    int mistakes_fd = -1;  ///< the open program with its mistakes; -1: name none
    int worker_fd = -1;    ///< the open worker program
    int recording_fd = -1; ///< an open file for the calls; -1: keep none
    int spent_fd = -1;     ///< where a request with a total counts, an open sys::SharedTime
    events::Request request;
    model::IsolationLevel isolation = model::IsolationLevel::E; ///< as observed: its workers get no less
    int cancel_fd = -1;                                         ///< becomes readable when the run shall stop
    std::optional<std::chrono::milliseconds> patience; ///< for the whole run; else what its tests may need
    std::function<void(const events::Event&)> heard;   ///< is told each event as it comes; may be empty
};

/// The time of all calls, comparing mistakes, and the suite's own work, on a machine that is as busy as a
/// limit is ever stretched for: a driver that needs longer hangs.
std::chrono::milliseconds patience(const events::Request& request);

/// Runs a driver to its end, or kills it and its workers. Whatever the driver does, this returns; what it
/// could not say becomes `trouble`. Throws model::EnvironmentError when it could not be started.
events::DriverRun run_driver(const DriverJob& job);

} // namespace supervisor
