#pragma once

#include "harness/context.h"
#include "harness/random.h"
#include "harness/recorder.h"

#include <functional>
#include <string>
#include <vector>

namespace harness {

/// Something that can be done to an object of the submission and to its model, the reference's object, with
/// results that are compared. Returns what it did, in words: "forward of 2 x 3 ids".
template <class Pair>
using Command = std::function<std::string(Pair&, Random&)>;

/// Commands in random order on an object and its model, with every query after each of them. Ends at the
/// first step at which the two differ; what is reported says what came before.
template <class Pair>
void run_commands(Pair& pair, const std::vector<Command<Pair>>& commands,
                  const std::function<void(Pair&)>& queries, std::size_t steps, Random& random) {
    constexpr std::size_t remembered = 4;
    Recorder& recorder = Recorder::current();
    std::vector<std::string> history;
    for (std::size_t step = 0; step < steps; ++step) {
        recorder.begin_trial();
        std::string before;
        for (const std::string& words : history)
            before += (before.empty() ? "after " : ", then ") + words;
        try {
            const ContextScope scope(before.empty() ? "the first command" : before);
            std::string words = commands[random.size(0, commands.size() - 1)](pair, random);
            const ContextScope now("then " + words);
            queries(pair);
            history.push_back(std::move(words));
            if (history.size() > remembered) history.erase(history.begin());
        } catch (...) {
            recorder.keep(recorder.end_trial());
            throw;
        }
        std::vector<Finding> findings = recorder.end_trial();
        if (findings.empty()) continue;
        recorder.note_failure(recorder.effect());
        recorder.keep(std::move(findings));
        return;
    }
}

} // namespace harness
