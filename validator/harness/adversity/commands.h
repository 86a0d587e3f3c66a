#pragma once

#include "harness/adversity/common.h"
#include "harness/context.h"
#include "harness/random.h"
#include "harness/recorder.h"

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace harness {

/// Something that can be done to an object of the submission and to its model, the reference's object, with
/// results that are compared. Returns what it did, in words that begin with the function: "forward of 2 x 3
/// ids", "a refused forward".
template <class Pair>
using Command = std::function<std::string(Pair&, Random&)>;

/// What was done to one object so far.
class CommandHistory {
  public:
    /// "after a refused forward, then backward": the last few, or "the first command".
    std::string print() const;
    /// The next one: what it was, by its function, and what came before.
    void add(const std::string& words, bool failed, std::map<std::string, std::vector<CallFacts>>& facts);

  private:
    std::vector<std::string> kinds_, last_;
};

/// Commands in random order on an object and its model, with every query after each of them. Ends at the
/// first step at which the two differ; what is reported says what came before. Where an object of the same
/// case has differed already, nothing more is reported, but how they differ is compared.
template <class Pair>
void run_commands(Pair& pair, const std::vector<Command<Pair>>& commands,
                  const std::function<void(Pair&)>& queries, std::size_t steps, Random& random) {
    Recorder& recorder = Recorder::current();
    if (recorder.is_settled()) return;
    CommandHistory history;
    std::map<std::string, std::vector<CallFacts>> facts;
    std::vector<Finding> findings;
    for (std::size_t step = 0; step < steps && findings.empty(); ++step) {
        recorder.begin_trial();
        std::string words;
        try {
            const ContextScope scope(history.print());
            words = commands[random.size(0, commands.size() - 1)](pair, random);
            const ContextScope now("then " + words);
            queries(pair);
        } catch (...) {
            recorder.keep(recorder.end_trial());
            throw;
        }
        findings = recorder.end_trial();
        history.add(words, !findings.empty(), facts);
    }
    if (!recorder.failed()) recorder.keep(std::move(findings));
    for (auto& [function, calls] : facts)
        recorder.add_calls(function, std::move(calls));
}

} // namespace harness
