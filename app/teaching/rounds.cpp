#include "app/teaching/rounds.h"

#include "app/teaching/pace.h"

#include <algorithm>
#include <chrono>

namespace teaching {
namespace {

using Clock = std::chrono::steady_clock;

/// A line for each step of a tenth where lines stay, and for each piece where one overwrites the other.
class Ticker {
  public:
    Ticker(std::size_t all, terminal::Progress& progress, bool is_terminal)
        : all_(all), progress_(progress), is_terminal_(is_terminal) {}

    void show(std::size_t done) {
        const std::size_t step = all_ == 0 ? 0 : done * 10 / all_;
        if (!is_terminal_ && step == step_) return;
        step_ = step;
        progress_.show(pace(done, all_, Clock::now() - start_));
    }

  private:
    std::size_t all_;
    terminal::Progress& progress_;
    bool is_terminal_;
    std::size_t step_ = 0;
    Clock::time_point start_ = Clock::now();
};

/// Takes the results of one round.
class Collector {
  public:
    Collector(gradebook::Gradebook& book, bool give, const catalogue::Schema& reports)
        : book_(book), give_(give), reports_(reports) {}

    void take(const Piece& piece, Result result) {
        if (auto* failure = std::get_if<NotJudged>(&result)) {
            failed.emplace_back(&piece, std::move(*failure));
            return;
        }
        coursework::Outcome outcome = coursework::read_outcome("the report on " + piece.how.problem,
                                                               std::get<std::string>(result), reports_);
        if (outcome.verdict == model::Verdict::judge_error) {
            failed.emplace_back(&piece, NotJudged{outcome.summary});
            return;
        }
        const auto works =
            give_ ? std::span<const gradebook::WorkId>(piece.works) : std::span<const gradebook::WorkId>();
        judged.emplace_back(&piece, book_.keep(piece.key, piece.hash, piece.package, outcome, works));
    }

    std::vector<std::pair<const Piece*, gradebook::Id>> judged;
    std::vector<std::pair<const Piece*, NotJudged>> failed;

  private:
    gradebook::Gradebook& book_;
    bool give_;
    const catalogue::Schema& reports_;
};

} // namespace

Ran run_pieces(Executor& executor, gradebook::Gradebook& book, const std::vector<Piece>& pieces, bool give,
               const catalogue::Schema& reports, terminal::Progress& progress, bool is_terminal) {
    Ticker ticker(pieces.size(), progress, is_terminal);
    ticker.show(0);
    const auto files = [&](const std::string& hash) { return book.files(hash); };
    Collector first(book, give, reports);
    std::size_t done = 0;
    executor.run(pieces, files, [&](const Piece& piece, Result result) {
        first.take(piece, std::move(result));
        ticker.show(++done);
    });
    if (first.failed.empty()) return {std::move(first.judged), {}};

    std::vector<Piece> again;
    for (const auto& [piece, why] : first.failed)
        again.push_back(*piece);
    Collector second(book, give, reports);
    executor.run(again, files,
                 [&](const Piece& piece, Result result) { second.take(piece, std::move(result)); });
    // The pieces that are returned are the caller's.
    const auto own = [&](const Piece* copy) { return &*std::ranges::find(pieces, copy->key, &Piece::key); };
    Ran ran{std::move(first.judged), {}};
    for (const auto& [piece, id] : second.judged)
        ran.judged.emplace_back(own(piece), id);
    for (auto& [piece, why] : second.failed) {
        if (give) book.keep_unjudged(piece->works, why.why);
        ran.failed.emplace_back(own(piece), std::move(why));
    }
    return ran;
}

} // namespace teaching
