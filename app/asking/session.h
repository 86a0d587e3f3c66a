#pragma once

#include "app/asking/key.h"
#include "model/justification.h"
#include "model/question.h"
#include "terminal/markdown.h"

#include <functional>
#include <string>
#include <vector>

namespace asking {

/// One question at a time: what the screen is sent for each key. Knows no terminal, disk or clock. Every mark
/// goes to `keep` at once, so that nothing is lost however the session ends.
class Session {
  public:
    using Keep = std::function<void(const model::Question&, const model::Answer&, model::Standing)>;

    /// `standing` has a place for each of the drawn questions, in their order.
    Session(std::vector<model::Question> drawn, model::Justification standing, terminal::Style style,
            Keep keep);

    /// The first question that is open or wrong.
    std::string begin();

    std::string press(const Key& key);

    /// Nothing more is asked: left, or at the end.
    bool over() const { return phase_ == Phase::over; }
    const model::Justification& standing() const { return standing_; }

  private:
    enum class Phase {
        answering,
        comparing, ///< a text, with its key points
        reading,   ///< the feedback to a right answer
        over,
    };

    const model::Question& question() const { return drawn_[at_]; }
    bool done(std::size_t index) const;
    std::string show();
    std::string go_on();
    std::string go_back();
    std::string submit();
    std::string begin_comparing(const std::string& answer);
    std::string compare();
    void keep(const model::Answer& answer, model::Standing standing);
    void choose(int step);
    std::string prompt() const;
    std::string markdown(const std::string& text) const;

    std::vector<model::Question> drawn_;
    model::Justification standing_;
    terminal::Style style_;
    Keep keep_;
    Phase phase_ = Phase::answering;
    std::size_t at_ = 0;
    std::string line_;   ///< typed so far
    std::string answer_; ///< the text that is being compared
    bool helped_ = false;
};

} // namespace asking
