#include "gradebook/gradebook.h"

#include "gradebook/schema.h"
#include "model/errors.h"
#include "store/errors.h"
#include "unit/folder.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <doctest/doctest.h>

#include <csignal>
#include <sys/wait.h>
#include <unistd.h>

using gradebook::Gradebook;
using gradebook::Handed;
using gradebook::State;

namespace {

struct Scratch : test::Folder {
    std::filesystem::path file() const { return path() / "hw.gradebook"; }
};

Handed handed(const std::string& student, const std::string& text) {
    Handed handed;
    handed.attempt.student = student;
    handed.attempt.source = student + ".zip";
    handed.attempt.submitted = coursework::Instant(std::chrono::seconds(1'000));
    handed.attempt.works = {{"p", State::waiting, "hash of " + text}, {"q", State::missing}};
    handed.files = {{"hash of " + text, {{"row.cpp", text}}}};
    return handed;
}

coursework::Outcome outcome(double points) {
    coursework::Outcome outcome;
    outcome.problem = "p";
    outcome.verdict = model::Verdict::wrong_answer;
    outcome.points = points;
    outcome.max_points = 20;
    outcome.depth = "graded";
    outcome.isolation = "A";
    outcome.seed = UINT64_MAX - 1;
    outcome.tests = {{"first", model::Verdict::accepted, 5, 5, false, "", "", "", 0}};
    outcome.mistakes = {{"reads-column", "says", "hint", false}};
    outcome.report = "{}";
    return outcome;
}

} // namespace

TEST_CASE_FIXTURE(Scratch, "what was kept is there when the file is opened again") {
    {
        Gradebook book = Gradebook::open(file());
        CHECK_FALSE(book.setup());
        book.keep_setup({"{}", UINT64_MAX});
        const std::vector<coursework::Student> roster{{"ada", "Ada", "a@x", "A"}};
        book.enrol(roster);
        CHECK(book.hand_in(handed("ada", std::string("int a;\0\xff", 8))));
        const std::vector<gradebook::WorkId> works{{1, "p"}};
        book.keep("key", "hash", "package", outcome(5), works);
        book.change({"ada", "p", 50, "prof", "why", "2026-01-01T00:00:00Z"});
    }
    const Gradebook again = Gradebook::open(file());
    CHECK(again.setup()->seed == UINT64_MAX);
    const gradebook::Book book = again.read();
    REQUIRE(book.students.size() == 1);
    CHECK(book.students[0].listed);
    REQUIRE(book.attempts.size() == 1);
    CHECK(book.attempts[0].works[0].state == State::judged);
    const gradebook::Judged& judged = book.judged.at(*book.attempts[0].works[0].judgement);
    CHECK(judged.seed == UINT64_MAX - 1);
    CHECK(judged.tests.at(0).name == "first");
    CHECK(judged.mistakes == std::vector<gradebook::MistakeRow>{{"reads-column", false}});
    CHECK(book.changes.at(0).why == "why");
    CHECK(again.find("key") == book.attempts[0].works[0].judgement);
    CHECK_FALSE(again.find("another key"));
    CHECK(again.files("hash of " + std::string("int a;\0\xff", 8)).empty() == false);
    CHECK(again.files(book.attempts[0].works[0].hash).at(0).text == std::string("int a;\0\xff", 8));
}

TEST_CASE_FIXTURE(Scratch, "the same content is the same attempt; another one is a new attempt") {
    Gradebook book = Gradebook::open(file());
    CHECK(book.hand_in(handed("ada", "one")));
    CHECK_FALSE(book.hand_in(handed("ada", "one")));
    CHECK(book.hand_in(handed("ada", "two")));
    CHECK(book.hand_in(handed("bob", "one")));
    CHECK(book.read().attempts.size() == 3);
}

TEST_CASE_FIXTURE(Scratch, "who is no longer on the list is kept, as not listed") {
    Gradebook book = Gradebook::open(file());
    const std::vector<coursework::Student> both{{"ada", "Ada", "", ""}, {"bob", "Bob", "", ""}};
    book.enrol(both);
    book.enrol(std::span(both).first(1));
    const auto students = book.read().students;
    REQUIRE(students.size() == 2);
    CHECK(students[0].listed);
    CHECK_FALSE(students[1].listed);
}

TEST_CASE_FIXTURE(Scratch, "what could not be judged says why, and never loses a judgement") {
    Gradebook book = Gradebook::open(file());
    book.hand_in(handed("ada", "one"));
    const std::vector<gradebook::WorkId> works{{1, "p"}};
    book.keep_unjudged(works, "the disk was full");
    CHECK(book.read().attempts[0].works[0].note == "the disk was full");
    book.keep("key", "hash", "package", outcome(5), works);
    book.keep_unjudged(works, "again");
    CHECK(book.read().attempts[0].works[0].state == State::judged);
    CHECK(book.read().attempts[0].works[0].note.empty());
}

TEST_CASE_FIXTURE(Scratch, "a judgement that is kept without works is nobody's until it is assigned") {
    Gradebook book = Gradebook::open(file());
    book.hand_in(handed("ada", "one"));
    const gradebook::Id id = book.keep("key", "hash", "package", outcome(5), {});
    CHECK(book.read().attempts[0].works[0].state == State::waiting);
    const std::vector<std::pair<gradebook::WorkId, gradebook::Id>> works{{{1, "p"}, id}};
    book.assign(works);
    CHECK(book.read().attempts[0].works[0].judgement == id);
}

TEST_CASE_FIXTURE(Scratch, "a change is for a student of the class") {
    Gradebook book = Gradebook::open(file());
    CHECK_THROWS_WITH_AS(book.change({"eve", "p", 50, "prof", "why", ""}), "the gradebook has no student eve",
                         model::UsageError);
}

TEST_CASE_FIXTURE(
    Scratch, "a gradebook that another engine works with is refused, and one of a killed engine is not") {
    int ready[2];
    REQUIRE(pipe(ready) == 0);
    const pid_t other = fork();
    if (other == 0) {
        Gradebook held = Gradebook::open(file());
        held.hand_in(handed("ada", "one"));
        (void)!::write(ready[1], "x", 1);
        pause();
        _exit(0);
    }
    char byte = 0;
    REQUIRE(::read(ready[0], &byte, 1) == 1);
    try {
        (void)Gradebook::open(file());
        FAIL("it was opened");
    } catch (const store::Held& error) {
        CHECK(std::string(error.what()).find("cannot use the gradebook") == 0);
        CHECK(std::string(error.what()).find("another program holds it") != std::string::npos);
    }
    kill(other, SIGKILL);
    waitpid(other, nullptr, 0);
    close(ready[0]);
    close(ready[1]);
    CHECK(Gradebook::open(file()).read().attempts.size() == 1);
}

TEST_CASE_FIXTURE(Scratch, "a gradebook of a newer engine, and a learner's progress, are left as they are") {
    { (void)Gradebook::open(file()); }
    SQLite::Database(file().string(), SQLite::OPEN_READWRITE).exec("PRAGMA user_version = 99");
    const std::string before = read("hw.gradebook");
    try {
        (void)Gradebook::open(file());
        FAIL("it was opened");
    } catch (const model::EnvironmentError& error) {
        CHECK(std::string(error.what()).find("a newer engine wrote it (version 99") != std::string::npos);
    }
    CHECK(read("hw.gradebook") == before);
    SQLite::Database(file().string(), SQLite::OPEN_READWRITE).exec("PRAGMA application_id = 1701212014");
    CHECK_THROWS_AS(Gradebook::open(file()), model::EnvironmentError);
}
