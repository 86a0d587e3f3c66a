#include "harness/sizes.h"

#include "harness/context.h"
#include "harness/recorder.h"
#include "harness/run.h"

#include <optional>
#include <stdexcept>
#include <utility>

namespace harness {
namespace {

/// Sets the findings of a trial aside and names its sizes, however the trial ends.
class TrialScope {
  public:
    explicit TrialScope(std::string sizes) : sizes_(std::move(sizes)) { Recorder::current().begin_trial(); }
    TrialScope(const TrialScope&) = delete;
    TrialScope& operator=(const TrialScope&) = delete;
    ~TrialScope() {
        Recorder::current().keep(end()); // left by an exception that nobody here knows, on its way to doctest
    }
    std::vector<Finding> end() {
        if (!std::exchange(running_, false)) return {};
        return Recorder::current().end_trial();
    }

  private:
    ContextScope sizes_;
    bool running_ = true;
};

/// Enough to halve every size to its least a few times over; a submission that needs longer gets a larger
/// example.
constexpr int max_shrinks = 60;
constexpr int cost_of_a_death = 6; // each needs a new worker

struct Trial {
    const std::vector<SizeRange>& ranges;
    const std::function<void(const Sizes&, Random&)>& body;

    /// The findings of one draw, empty when it holds.
    std::vector<Finding> run(const std::vector<std::size_t>& values) {
        const Sizes sizes(ranges, values);
        Recorder& recorder = Recorder::current();
        Random stream = named_stream(recorder.seed(), recorder.case_name() + sizes.print());
        TrialScope scope(sizes.print());
        run_guarded([&] { body(sizes, stream); });
        return scope.end();
    }
};

bool is_slow(const std::vector<Finding>& findings) {
    return findings.front().kind == Finding::Kind::died && findings.front().fate == model::Fate::timed_out;
}

std::vector<Finding> shrink(Trial& trial, std::vector<std::size_t> values, std::vector<Finding> findings) {
    int left = max_shrinks;
    for (bool smaller = true; smaller && left > 0;) {
        smaller = false;
        for (std::size_t i = 0; i < values.size(); ++i) {
            const std::size_t least = trial.ranges[i].least;
            for (const std::size_t candidate : {least, least + (values[i] - least) / 2, values[i] - 1}) {
                if (values[i] == least || candidate >= values[i] || left-- <= 0) continue;
                std::vector<std::size_t> attempt = values;
                attempt[i] = candidate;
                std::vector<Finding> found = trial.run(attempt);
                if (found.empty() || is_slow(found)) continue;
                left -= found.front().kind == Finding::Kind::died ? cost_of_a_death : 0;
                values = std::move(attempt);
                findings = std::move(found);
                smaller = true;
                break;
            }
        }
    }
    return findings;
}

} // namespace

Sizes::Sizes(const std::vector<SizeRange>& ranges, std::vector<std::size_t> values)
    : ranges_(&ranges), values_(std::move(values)) {}

std::size_t Sizes::operator[](std::string_view name) const {
    for (std::size_t i = 0; i < values_.size(); ++i)
        if ((*ranges_)[i].name == name) return values_[i];
    throw std::out_of_range("no size is called " + std::string(name));
}

std::string Sizes::print() const {
    std::string text;
    for (std::size_t i = 0; i < values_.size(); ++i)
        text += (i == 0 ? "" : ", ") + (*ranges_)[i].name + " = " + std::to_string(values_[i]);
    return text;
}

void for_random_sizes(int count, const std::vector<SizeRange>& ranges,
                      const std::function<void(const Sizes&, Random&)>& body) {
    Recorder& recorder = Recorder::current();
    Random draws = named_stream(recorder.seed(), recorder.case_name() + "/sizes");
    Trial trial{ranges, body};
    for (int i = 0; i < count; ++i) {
        std::vector<std::size_t> values;
        values.reserve(ranges.size());
        for (const SizeRange& range : ranges)
            values.push_back(i + 1 < count ? draws.size(range.least, range.most) : range.most);
        std::vector<Finding> findings = trial.run(values);
        if (findings.empty()) continue;
        if (!recorder.brief()) {
            recorder.note_failure(recorder.effect());
            if (!is_slow(findings)) findings = shrink(trial, values, std::move(findings));
        }
        recorder.keep(std::move(findings));
        return;
    }
}

} // namespace harness
