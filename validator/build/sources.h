#pragma once

#include "build/plan.h"
#include "build/scratch.h"
#include "model/judgement.h"
#include "model/submission.h"

#include <map>
#include <string>
#include <vector>

namespace build {

/// The files of a submission as a compiler finds them in its scratch folder.
class Sources {
  public:
    /// `apart`: the submission is a program with a main of its own. Its sources are put there one by one,
    /// each just before it is compiled, so the first one is compiled where no other is: a test that a learner
    /// wrote cannot read what it tests. What is passed has to outlive this object.
    Sources(const Scratch& scratch, const model::Submission& submission, bool apart, bool emulated)
        : scratch_(scratch), submission_(submission), apart_(apart), emulated_(emulated) {}

    /// Writes what is there from the start, of the problem's files alone.
    void begin(const Plan& plan, const std::vector<std::string>& files) const;

    /// Turns CUDA files into the C++ that is compiled in their place, and writes the headers next to them.
    /// Returns what cannot be turned into it.
    std::vector<model::Diagnostic> rewrite(const Plan& plan);

    /// Writes what a translation reads and `begin` has left out.
    void lay_out(const Plan::Translation& translation) const;

    /// A file as the learner wrote it.
    const std::string& text_of(const std::string& name) const;
    /// The text that is compiled.
    const std::string& source_of(const Plan::Translation& translation) const;

  private:
    const Scratch& scratch_;
    const model::Submission& submission_;
    bool apart_;
    bool emulated_;
    std::map<std::string, std::string> rewritten_;
};

} // namespace build
