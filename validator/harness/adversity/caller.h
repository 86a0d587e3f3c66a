#pragma once

#include "harness/adversity/common.h"
#include "harness/adversity/situation.h"
#include "harness/recorder.h"

#include <functional>
#include <string>
#include <vector>

namespace harness {

/// Makes the calls of one function in one test, remembers what each was like, and reports the first failure.
class Caller {
  public:
    Caller(std::string function, Random random) : function_(std::move(function)), random_(random) {}

    /// `check` makes the call that `facts` describe, claims what it has to leave and adds to `facts` what the
    /// right answer is.
    void attempt(const Situation& situation, CallFacts facts, const std::function<void(CallFacts&)>& check);
    /// Whether it is worth knowing if the last call passes where no other came before it: asked once, of a
    /// call that failed and was not its worker's first.
    bool wants_it_alone() const;
    /// Makes that call again, in a worker that has just started.
    void attempt_alone(const std::function<void(CallFacts&)>& check);
    /// What is known of a call before it is made; `when` says after what it comes, or is empty.
    CallFacts facts_of(const Situation& situation, const std::string& when) const;
    /// A call has failed, and only that is of interest.
    bool is_settled() const;
    Random& random() { return random_; }
    /// Hands over what was found.
    void conclude();

  private:
    std::string function_;
    Random random_;
    std::vector<CallFacts> facts_;
    std::vector<Finding> first_;
    bool asked_alone_ = false;
};

} // namespace harness
