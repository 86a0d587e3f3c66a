#pragma once

#include <stdexcept>
#include <string>

/// The ways in which *we cannot go on*. What learner code does is never one of them: that is data.
/// Caught once, in main, which turns each into its exit code.
namespace model {

/// The command was used wrongly (exit 2).
struct UsageError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// A problem package or another file of ours is broken (exit 3); the text names the file and the place in it.
struct ContentError : std::runtime_error {
    ContentError(const std::string& file, const std::string& where, const std::string& what)
        : std::runtime_error("cannot read " + file + ": " + (where.empty() ? what : where + " " + what)) {}
    /// Where more than reading failed: `words` says it all.
    explicit ContentError(const std::string& words) : std::runtime_error(words) {}
};

/// The machine does not give what we need (exit 4); the text ends with a remedy.
struct EnvironmentError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// We were asked to stop (exit 130).
struct Interrupted {};

} // namespace model
