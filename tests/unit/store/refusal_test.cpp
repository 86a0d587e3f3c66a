#include "store/schema.h"
#include "store/store.h"

#include "unit/store/scratch.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <doctest/doctest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <functional>
#include <thread>

using model::Verdict;
using store::Store;

namespace {

/// What opening says; fails the test where it does not refuse, or refuses as merely unwritable.
std::string refusal(const std::filesystem::path& database) {
    try {
        Store::open(database).progress();
    } catch (const store::Unwritable& error) {
        FAIL("said unwritable: " << error.what());
    } catch (const model::EnvironmentError& error) {
        return error.what();
    }
    FAIL("did not refuse");
    return {};
}

void check_refused_untouched(const std::filesystem::path& database, const std::string& because) {
    const auto before = bytes_of(database);
    const auto time = std::filesystem::last_write_time(database);
    const auto message = refusal(database);
    CHECK_MESSAGE(message.find(because) != std::string::npos, message);
    CHECK_MESSAGE(message.find("mv -- '" + database.string() + "' '" + database.string() + ".aside'") !=
                      std::string::npos,
                  message);
    CHECK(bytes_of(database) == before);
    CHECK(std::filesystem::last_write_time(database) == time);
}

std::filesystem::path with_attempts(const Scratch& scratch, int count) {
    auto store = Store::open(scratch.database());
    for (int i = 0; i < count; ++i)
        store.record(judged("p", Verdict::wrong_answer, 1), "test");
    return scratch.database();
}

/// Many attempts, written at once instead of each for itself.
std::filesystem::path with_many_attempts(const Scratch& scratch) {
    SQLite::Database(with_attempts(scratch, 1).string(), SQLite::OPEN_READWRITE)
        .exec("WITH RECURSIVE n (i) AS (VALUES (2) UNION ALL SELECT i + 1 FROM n WHERE i < 300) "
              "INSERT INTO attempt SELECT NULL, problem, i, started, command, graded, verdict, points, "
              "max_points, seed "
              "FROM attempt, n");
    return scratch.database();
}

const int creating = SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE;

std::filesystem::path journal_of(const std::filesystem::path& database) {
    return database.string() + "-journal";
}

/// Leaves the file and its hot journal as a killed writer would have.
void leave_unfinished(const std::filesystem::path& database) {
    std::string file, journal;
    {
        SQLite::Database writer(database.string(), creating);
        writer.exec(
            "PRAGMA cache_size = 1; BEGIN IMMEDIATE; CREATE TABLE t (x)"); // a tiny cache spills to the file
        for (int i = 0; i < 50; ++i)
            writer.exec("INSERT INTO t VALUES (randomblob(3000))");
        file = bytes_of(database);
        journal = bytes_of(journal_of(database));
    }
    REQUIRE(file.size() > 4096);
    REQUIRE(journal.substr(0, 4) ==
            "\xd9\xd5\x05\xf9"); // the magic number of a journal that will be replayed
    write_bytes(database, file);
    write_bytes(journal_of(database), journal);
}

/// Runs in a child process, so that limits and identity can be changed; true where `work` returned true.
bool in_child(const std::function<bool()>& work) {
    const pid_t child = ::fork();
    if (child == 0) {
        bool good = false;
        try {
            good = work();
        } catch (...) {
        }
        ::_exit(good ? 0 : 1);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

bool says_unwritable(const std::function<void()>& work) {
    try {
        work();
    } catch (const store::Unwritable&) {
        return true;
    }
    return false;
}

/// Permissions mean nothing to root: become nobody first.
void without_privileges() {
    if (::geteuid() == 0 && (::setgid(65534) != 0 || ::setuid(65534) != 0)) ::_exit(2);
}

} // namespace

TEST_CASE("a file that is no database is refused and left as it is") {
    const Scratch scratch;
    for (const std::string& bytes :
         {std::string("x"), std::string("my precious notes\n"), std::string(5000, '\0')}) {
        write_bytes(scratch.database(), bytes);
        check_refused_untouched(scratch.database(), "not a SQLite database");
    }
}

TEST_CASE("a database of another program is refused and left as it is") {
    const Scratch scratch;
    std::filesystem::create_directory(scratch.database().parent_path());
    for (const char* setup : {"CREATE TABLE bookmarks (url TEXT)", "PRAGMA application_id = 12345"}) {
        SQLite::Database(scratch.database().string(), creating).exec(setup);
        check_refused_untouched(scratch.database(), "another program");
    }
}

TEST_CASE("another program's unfinished transaction is not replayed") {
    const Scratch scratch;
    std::filesystem::create_directory(scratch.database().parent_path());
    { SQLite::Database(scratch.database().string(), creating).exec("PRAGMA application_id = 12345"); }
    leave_unfinished(scratch.database());
    check_refused_untouched(scratch.database(), "another program");
    CHECK(std::filesystem::exists(journal_of(scratch.database())));
}

TEST_CASE("a creation that a power cut left without its first page is undone and done again") {
    const Scratch scratch;
    std::filesystem::create_directory(scratch.database().parent_path());
    leave_unfinished(scratch.database());
    const auto bytes = bytes_of(scratch.database());
    write_bytes(scratch.database(), std::string(4096, '\0') + bytes.substr(4096));
    CHECK(Store::open(scratch.database()).record(judged("p", Verdict::accepted, 20), "test") == 1);
}

TEST_CASE("a database written by a newer engine is refused and left as it is") {
    const Scratch scratch;
    with_attempts(scratch, 3);
    SQLite::Database(scratch.database().string(), SQLite::OPEN_READWRITE).exec("PRAGMA user_version = 99");
    check_refused_untouched(scratch.database(), "newer engine wrote it (version 99");
}

TEST_CASE("damage is refused and left as it is, wherever it lies") {
    const Scratch scratch;
    const auto whole = bytes_of(with_many_attempts(scratch));
    REQUIRE(whole.size() > 5 * 4096);
    SUBCASE("cut in the middle of a page") {
        write_bytes(scratch.database(), whole.substr(0, whole.size() / 2 + 77));
    }
    SUBCASE("cut at a page") {
        write_bytes(scratch.database(), whole.substr(0, 2 * 4096));
    }
    SUBCASE("only the header is left") {
        write_bytes(scratch.database(), whole.substr(0, 100));
    }
    SUBCASE("the schema is noise") {
        write_bytes(scratch.database(),
                    whole.substr(0, 100) + std::string(3996, '\xa5') + whole.substr(4096));
    }
    SUBCASE("a page of rows is noise") {
        write_bytes(scratch.database(), whole.substr(0, whole.size() - 4096) + std::string(4096, '\xa5'));
    }
    check_refused_untouched(scratch.database(), "damaged");
}

TEST_CASE("damage is found at opening, before anything is asked or written") {
    const Scratch scratch;
    const auto whole = bytes_of(with_many_attempts(scratch));
    write_bytes(scratch.database(), whole.substr(0, whole.size() - 4096) + std::string(4096, '\xa5'));
    CHECK_THROWS_WITH_AS(Store::open(scratch.database()), doctest::Contains("damaged"),
                         model::EnvironmentError);
}

TEST_CASE("a database with our mark but without our tables is refused as damaged") {
    const Scratch scratch;
    std::filesystem::create_directory(scratch.database().parent_path());
    SQLite::Database(scratch.database().string(), creating)
        .exec("PRAGMA application_id = " + std::to_string(store::application_id) +
              "; PRAGMA user_version = 1");
    check_refused_untouched(scratch.database(), "damaged");
}

TEST_CASE("the advice never overwrites an older copy and survives a quote in the path") {
    const Scratch scratch;
    const auto database = scratch.folder() / "it's" / "progress.db";
    write_bytes(database, "x");
    write_bytes(database.string() + ".aside", "older");
    const auto message = refusal(database);
    const auto command = message.substr(message.find("mv --"));
    REQUIRE(std::system(command.c_str()) == 0);
    CHECK(bytes_of(database.string() + ".aside") == "older");
    CHECK(bytes_of(database.string() + ".aside-2") == "x");
    CHECK(Store::open(database).progress().empty());
}

TEST_CASE("a folder or a pipe in place of the file is refused") {
    const Scratch scratch;
    SUBCASE("folder") {
        std::filesystem::create_directories(scratch.database());
    }
    SUBCASE("pipe") {
        std::filesystem::create_directory(scratch.database().parent_path());
        REQUIRE(::mkfifo(scratch.database().c_str(), 0600) == 0);
    }
    CHECK(refusal(scratch.database()).find("not a file") != std::string::npos);
}

TEST_CASE("a database that another program lets go of within seconds is waited for") {
    const Scratch scratch;
    auto mine = with_attempts(scratch, 1);
    SQLite::Database other(scratch.database().string(), SQLite::OPEN_READWRITE);
    other.exec("BEGIN EXCLUSIVE");
    std::thread friendly([&] {
        std::this_thread::sleep_for(std::chrono::seconds(2));
        other.exec("ROLLBACK");
    });
    CHECK(Store::open(scratch.database()).record(judged("p", Verdict::accepted, 20), "test") == 2);
    friendly.join();
}

TEST_CASE("a database that another program holds is refused after seconds, and works again afterwards") {
    const Scratch scratch;
    with_attempts(scratch, 1);
    auto mine = Store::open(scratch.database());
    SQLite::Database other(scratch.database().string(), SQLite::OPEN_READWRITE);
    const auto start = std::chrono::steady_clock::now();
    SUBCASE("for reading and writing, at opening") {
        other.exec("BEGIN EXCLUSIVE");
        CHECK(refusal(scratch.database()).find("another program holds it") != std::string::npos);
    }
    SUBCASE("for writing, at recording") {
        other.exec("BEGIN IMMEDIATE");
        CHECK(Store::open(scratch.database()).progress().size() == 1);
        CHECK_THROWS_WITH_AS(mine.record(judged("p", Verdict::accepted, 20), "test"),
                             doctest::Contains("another program holds it"), store::Held);
    }
    CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(20)); // a hang, not a benchmark
    other.exec("ROLLBACK");
    CHECK(mine.record(judged("p", Verdict::accepted, 20), "test") == 2);
}

TEST_CASE("a folder that cannot be made is unwritable") {
    const Scratch scratch;
    write_bytes(scratch.folder() / ".engine", "a file where the folder should be");
    CHECK_THROWS_WITH_AS(Store::open(scratch.database()), doctest::Contains("cannot save progress in"),
                         store::Unwritable);
    std::filesystem::remove(scratch.folder() / ".engine");
    std::filesystem::create_symlink("nowhere", scratch.folder() / ".engine");
    CHECK_THROWS_AS(Store::open(scratch.database()), store::Unwritable);
}

TEST_CASE("a folder without write permission is unwritable") {
    const Scratch scratch;
    std::filesystem::permissions(scratch.folder(), std::filesystem::perms(0555));
    CHECK(in_child([&] {
        without_privileges();
        return says_unwritable([&] { Store::open(scratch.database()); });
    }));
    std::filesystem::permissions(scratch.folder(), std::filesystem::perms(0755));
}

TEST_CASE("a read-only database still answers, and says unwritable when written") {
    const Scratch scratch;
    with_attempts(scratch, 1);
    std::filesystem::permissions(scratch.folder(), std::filesystem::perms(0755));
    std::filesystem::permissions(scratch.database(), std::filesystem::perms(0444));
    std::filesystem::permissions(scratch.database().parent_path(), std::filesystem::perms(0555));
    CHECK(in_child([&] {
        without_privileges();
        auto store = Store::open(scratch.database());
        return store.progress("p").attempts == 1 &&
               says_unwritable([&] { store.record(judged("p", Verdict::accepted, 20), "test"); });
    }));
    std::filesystem::permissions(scratch.database().parent_path(), std::filesystem::perms(0755));
    CHECK(Store::open(scratch.database()).progress("p").attempts == 1);
}

TEST_CASE("a full disk is unwritable and loses nothing that was there") {
    const Scratch scratch;
    const auto size = bytes_of(with_attempts(scratch, 40)).size();
    CHECK(in_child([&] {
        std::signal(SIGXFSZ, SIG_IGN);
        const rlimit limit{size, size};
        if (::setrlimit(RLIMIT_FSIZE, &limit) != 0) return false;
        return says_unwritable([&] {
            auto store = Store::open(scratch.database());
            for (int i = 0; i < 1000; ++i)
                store.record(judged("q", Verdict::accepted, 20), "test");
        });
    }));
    auto store = Store::open(scratch.database());
    CHECK(store.progress("p").attempts == 40);
    CHECK(store.attempts("q", SIZE_MAX).size() == store.progress("q").attempts);
}
