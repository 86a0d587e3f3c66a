#pragma once

#include "events/finding.h"
#include "harness/adversity/common.h"
#include "harness/adversity/coverage.h"
#include "harness/claims.h"
#include "subject/session.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace harness {

using events::Finding;

inline constexpr const char* gaps_are_written = "what lies between the rows of an output is written to";

struct ProbeTally {
    std::uint64_t calls = 0;
    std::uint64_t failed = 0;
    std::chrono::microseconds duration{0};
};

/// Collects the findings of the running test case. There is one in a driver.
class Recorder : public subject::Listener {
  public:
    static Recorder& current();

    void set_seed(std::uint64_t seed) { seed_ = seed; }
    /// From now on, what the running case does may depend on the seed.
    std::uint64_t seed() {
        drew_ = true;
        return seed_;
    }
    /// Whether the outcome of the running case may: it has used the seed before its first finding.
    bool depends_on_seed() const { return drew_ && !constructed_; }

    void begin_case(std::string name);
    const std::string& case_name() const { return case_; }
    std::vector<Finding> end_case() { return std::move(findings_); }

    /// A claim is made, about the calls since the last one.
    void claim() { claims_.made_after(calls_of_case()); }
    void add(Finding finding, Effect effect = {});
    /// Adds what a trial found.
    void keep(std::vector<Finding> findings);
    /// Calls that the suite made by hand failed, and no more is known of them than this.
    void note_failure(const Effect& effect) { claims_.note_failure(effect); }
    /// The bytes that the calls of the running case cannot do without.
    void add_minimum_traffic(std::uint64_t bytes) { minimum_traffic_ += bytes; }
    std::uint64_t minimum_traffic() const { return minimum_traffic_; }

    /// Timed cases have the sizes of a GPU.
    void use_full_size(bool full) { full_size_ = full; }
    bool full_size() const { return full_size_; }
    /// The running case measures this function.
    void measures(std::string function) { measured_ = std::move(function); }
    const std::string& measured() const { return measured_; }
    /// What one call of it took, in microseconds.
    void add_time(double us) { times_us_.push_back(us); }
    const std::vector<double>& times_us() const { return times_us_; }

    /// Numbers of the running case are compared so.
    void compares(subject::Likeness likeness) {
        likeness_ = std::max(likeness, likeness_.value_or(subject::Likeness::bits));
    }
    /// How much alike another implementation's numbers must be to have done the same in this case.
    subject::Likeness likeness() const { return likeness_.value_or(subject::Likeness::rounding); }

    bool failed() const { return !findings_.empty(); }
    const std::vector<Finding>& findings() const { return findings_; }
    bool suite_broke() const; ///< one finding is no fault of the submission

    /// What the cases of this run have reached so far.
    Coverage& coverage() { return coverage_; }

    /// What the calls of each probe came to so far.
    const std::map<Probe, ProbeTally>& probes() const { return probes_; }
    void note_call(Probe probe, bool failed, std::chrono::microseconds duration);

    /// Calls of a function of which it is known whether they failed.
    void add_calls(const std::string& function, std::vector<CallFacts> calls);
    /// What those that failed since the last time have in common, by function.
    std::map<std::string, std::string> take_what_failures_share();
    /// How many calls the running case has made.
    std::size_t calls_of_case() const;

    /// Whether cases make their longest calls, as they do unless told not to: a program that is watched
    /// takes longer for each, and shows in shorter ones what it is watched for.
    void allow_long_calls(bool allowed) { long_calls_ = allowed; }
    bool long_calls() const { return long_calls_; }

    /// Equal calls may differ by chance, since threads meet.
    void expect_chance(bool expected) { chance_ = expected; }
    bool chance() const { return chance_; }

    /// Every call that the suite knows, those too that a graded run has no time for (harness/depth.h).
    void be_thorough(bool thorough) { thorough_ = thorough; }
    bool thorough() const { return thorough_; }

    /// Only whether a case fails is of interest: nobody needs the smallest example.
    void be_brief() { brief_ = true; }
    bool brief() const { return brief_; }
    /// Whether it is known that the case fails, and nobody asks why.
    bool is_settled() const { return brief_ && failed(); }

    /// While a trial runs, findings are set aside; `end_trial` returns them.
    void begin_trial();
    std::vector<Finding> end_trial();
    /// What kind of wrong all is that the trial finds from here on.
    void mean(std::string effect) { meant_ = std::move(effect); }
    /// What kind of wrong it is that the trial has found, if anything, is known better now.
    void explain(std::string effect) { effect_.words = {std::move(effect)}; }
    /// That of the first finding of the last trial.
    const Effect& effect() const { return effect_; }

    void died(const char* function, const subject::Death& death) override;
    void not_implemented(const char* function) override;
    void out_of_memory(const char* function) override;
    void device_failed(const char* function, const std::string& words) override;
    void overran(const char* function, int argument, bool before) override;
    void changed_input(const char* function, int argument) override;
    void left_modes(const char* function) override;
    void wrote_kept(const char* function, subject::Kept kept) override;

    /// What the workers that died in this case had printed.
    std::string take_last_words() { return std::move(last_words_); }

  private:
    std::uint64_t seed_ = 0;
    std::string case_;
    std::vector<Finding> findings_;
    std::vector<Finding> set_aside_;
    void push(Finding finding);
    void note_functions(const Finding& finding, Effect& effect);

    Effect effect_;
    std::string meant_;
    bool trying_ = false;
    Claims claims_;
    std::string last_words_;
    std::uint64_t minimum_traffic_ = 0;
    bool full_size_ = false;
    std::string measured_;
    std::vector<double> times_us_;
    Coverage coverage_;
    std::map<std::string, std::vector<CallFacts>> calls_;
    std::map<Probe, ProbeTally> probes_;
    std::optional<subject::Likeness> likeness_; ///< of the least strict comparison so far
    bool brief_ = false;
    bool thorough_ = false;
    bool chance_ = false;
    bool long_calls_ = true;
    bool drew_ = false;
    bool constructed_ = false; ///< there was a finding before the seed was used
};

} // namespace harness
