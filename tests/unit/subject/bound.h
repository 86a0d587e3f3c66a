#pragma once

#include "listening.h"
#include "subject/session.h"

#include <doctest/doctest.h>
#include <fcntl.h>

/// The session, bound to the fixture's worker for the length of a test.
class Bound {
  public:
    /// `wall` is for calls that are to run into it; the others get more than a busy machine takes.
    explicit Bound(const char* program = FIXTURE_WORKER, model::Check check = model::Check::none,
                   bool fresh = true, std::chrono::milliseconds wall = std::chrono::seconds(30),
                   bool controlled = false)
        : program_(open(program, O_RDONLY | O_CLOEXEC)) {
        REQUIRE(program_);
        subject::WorkerProgram worker;
        worker.fd = program_.get();
        worker.check = check;
        worker.controlled = controlled;
        worker.limits.wall = wall;
        worker.limits.output_kib = 4;
        session().bind(worker, fresh, listener);
        session().begin_case();
    }
    Bound(const Bound&) = delete;
    Bound& operator=(const Bound&) = delete;
    ~Bound() { session().unbind(); }

    subject::Session& session() { return subject::Session::current(); }
    std::string next_case() {
        std::string printed = session().end_case();
        listener.heard.clear();
        session().begin_case();
        return printed;
    }
    const subject::Observation& last() { return session().transcript().observations().back(); }

    Listening listener;

  private:
    sys::Fd program_;
};
