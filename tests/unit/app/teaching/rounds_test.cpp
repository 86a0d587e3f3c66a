#include "app/teaching/rounds.h"

#include "catalogue/document.h"
#include "golden/fixtures.h"
#include "report/json.h"
#include "unit/folder.h"

#include <doctest/doctest.h>

#include <map>
#include <sstream>

using gradebook::Gradebook;
using gradebook::State;
using teaching::NotJudged;
using teaching::Piece;
using teaching::Ran;
using teaching::Result;

namespace {

/// Answers what it was told to, and how often it was asked for each piece.
class Scripted : public teaching::Executor {
  public:
    explicit Scripted(std::map<std::string, std::vector<Result>> answers) : answers_(std::move(answers)) {}

    void run(const std::vector<Piece>& pieces, const Files& files, const Collect& collect) override {
        for (const Piece& piece : pieces) {
            CHECK(files(piece.hash).size() == 1);
            collect(piece, answers_.at(piece.key).at(asked[piece.key]++));
        }
    }

    std::map<std::string, std::size_t> asked;

  private:
    std::map<std::string, std::vector<Result>> answers_;
};

std::string report(const char* fixture) {
    model::Judgement judgement = fixtures::named(fixture);
    judgement.graded = true;
    return report::render_json(judgement);
}

/// A class whose work number i is piece "k<i>".
struct Class : test::Folder {
    Gradebook book = Gradebook::open(path() / "hw.gradebook");
    std::vector<Piece> pieces;

    Class() {
        for (const std::string student : {"ada", "bob"}) {
            gradebook::Handed handed;
            handed.attempt.student = student;
            handed.attempt.works = {{"token-lookup", State::waiting, "hash " + student}};
            handed.files = {{"hash " + student, {{"lookup.cpp", student}}}};
            book.hand_in(handed);
            const auto id = static_cast<gradebook::Id>(pieces.size()) + 1;
            pieces.push_back({{"token-lookup", 7, false},
                              "hash " + student,
                              "k" + std::to_string(id),
                              "package",
                              {{id, "token-lookup"}}});
        }
    }

    Ran run(teaching::Executor& executor, bool give = true) {
        const std::filesystem::path root = ENGINE_SOURCE_DIR;
        const catalogue::Schema schema(
            catalogue::parse(catalogue::read_source(root / "schemas/report.schema.json", root)));
        std::ostringstream out;
        terminal::Progress progress(out, false, 80);
        return teaching::run_pieces(executor, book, pieces, give, schema, progress, false);
    }

    State state(std::size_t attempt) const { return book.read().attempts.at(attempt).works.at(0).state; }
};

} // namespace

TEST_CASE_FIXTURE(Class, "what is judged is kept and given to its works") {
    Scripted executor({{"k1", {report("accepted")}}, {"k2", {report("wrong-answer")}}});
    const Ran ran = run(executor);
    CHECK(ran.judged.size() == 2);
    CHECK(ran.failed.empty());
    CHECK(state(0) == State::judged);
    const gradebook::Book read = book.read();
    CHECK(read.judged.at(*read.attempts[1].works[0].judgement).verdict == model::Verdict::wrong_answer);
}

TEST_CASE_FIXTURE(Class, "what could not be judged is tried once more, whoever's it is") {
    Scripted executor({{"k1", {NotJudged{"no memory"}, report("accepted")}},
                       {"k2", {report("judge-error"), report("accepted")}}});
    const Ran ran = run(executor);
    CHECK(ran.failed.empty());
    CHECK(ran.judged.size() == 2);
    CHECK(state(0) == State::judged);
    CHECK(state(1) == State::judged);
}

TEST_CASE_FIXTURE(Class, "what fails twice is listed with its reason, and costs the others nothing") {
    Scripted executor(
        {{"k1", {NotJudged{"no memory"}, NotJudged{"still no memory"}}}, {"k2", {report("accepted")}}});
    const Ran ran = run(executor);
    REQUIRE(ran.failed.size() == 1);
    CHECK(ran.failed[0].first == pieces.data());
    CHECK(ran.failed[0].second.why == "still no memory");
    CHECK(state(0) == State::unjudged);
    CHECK(book.read().attempts[0].works[0].note == "still no memory");
    CHECK(state(1) == State::judged);
    CHECK(executor.asked["k1"] == 2);
    CHECK(executor.asked["k2"] == 1);
}

TEST_CASE_FIXTURE(Class, "judgements that are not given to works change none") {
    Scripted executor({{"k1", {report("accepted")}}, {"k2", {NotJudged{"x"}, NotJudged{"x"}}}});
    const Ran ran = run(executor, false);
    CHECK(ran.judged.size() == 1);
    CHECK(book.find("k1") == ran.judged[0].second);
    CHECK(state(0) == State::waiting);
    CHECK(state(1) == State::waiting);
}
