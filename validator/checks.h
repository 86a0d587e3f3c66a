#pragma once

#include "gather.h"

#include <future>
#include <vector>

namespace judge {

struct CheckRow;

/// The builds of a submission besides the one it is judged by: each looks for one kind of fault. They are
/// made and run at the same time as the judged one, where nothing of it has to be known first.
class Checks {
  public:
    Checks(const build::Workshop& workshop, const Request& request, const std::vector<model::TestSpec>& tests)
        : workshop_(workshop), request_(request), tests_(tests) {}

    void start();
    /// Starts those that depend on what the judged program is.
    void start_after(const Program& judged);
    /// Waits for all of them, repeats what has to be repeated, and adds what was seen, or why it was not.
    void collect(grading::Evidence& evidence);

  private:
    struct Started {
        const CheckRow& row;
        std::future<Program> program;
    };
    void start(const CheckRow& row);

    const build::Workshop& workshop_;
    const Request& request_;
    const std::vector<model::TestSpec>& tests_;
    std::vector<Started> started_;
    std::vector<grading::CheckLeftOut> left_out_;
};

} // namespace judge
