#include "gradebook/gradebook.h"

#include "gradebook/schema.h"
#include "model/errors.h"
#include "store/open.h"

#include <SQLiteCpp/VariadicBind.h>

#include <utility>

namespace gradebook {
namespace {

/// Runs a statement with its values in order.
template <class... Values>
int run(SQLite::Database& database, const char* sql, const Values&... values) {
    SQLite::Statement statement(database, sql);
    SQLite::bind(statement, values...);
    return statement.exec();
}

std::int64_t as_signed(std::uint64_t value) {
    return static_cast<std::int64_t>(value); // the same 64 bits; SQLite has no unsigned
}

/// Nobody else may write from here on, until the file is closed, however this process ends.
void take_hold(SQLite::Database& database) {
    database.exec("PRAGMA foreign_keys = ON; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; COMMIT");
}

bool is_known(SQLite::Database& database, const std::string& student) {
    SQLite::Statement query(database, "SELECT 1 FROM student WHERE id = ?");
    query.bind(1, student);
    return query.executeStep();
}

void insert_works(SQLite::Database& database, Id submission, const Attempt& attempt) {
    for (const Work& work : attempt.works)
        run(database,
            "INSERT INTO work (submission, problem, state, hash, note, refused) VALUES (?, ?, ?, ?, ?, ?) ON "
            "CONFLICT DO "
            "NOTHING",
            submission, work.problem, std::string(name(work.state)), work.hash, work.note, work.refused);
    for (const AnswerRow& answer : attempt.answers)
        run(database,
            "INSERT INTO answer (submission, problem, question, kind, mark, text) VALUES (?, ?, ?, ?, ?, ?) "
            "ON CONFLICT DO NOTHING",
            submission, answer.problem, answer.question, answer.kind, std::string(model::name(answer.mark)),
            answer.text);
}

void insert_files(SQLite::Database& database, const Handed& handed) {
    for (const auto& [hash, files] : handed.files)
        for (const model::SourceFile& file : files) {
            SQLite::Statement insert(
                database, "INSERT INTO source (hash, file, text) VALUES (?, ?, ?) ON CONFLICT DO NOTHING");
            insert.bind(1, hash);
            insert.bind(2, file.name);
            insert.bind(3, file.text.data(),
                        static_cast<int>(file.text.size())); // as it is: it need not be UTF-8
            insert.exec();
        }
}

/// The content of an attempt: what was taken from it, or why nothing was.
std::string digest_of(const Attempt& attempt) {
    std::string digest = attempt.trouble.empty() ? "" : attempt.source + ": " + attempt.trouble;
    for (const Work& work : attempt.works)
        digest += work.hash + work.note + work.refused + "/";
    for (const AnswerRow& answer : attempt.answers)
        digest += answer.problem + "." + answer.question + "=" + answer.text + "/";
    return digest;
}

} // namespace

Gradebook::Gradebook(store::File file, std::unique_ptr<SQLite::Database> database)
    : file_(std::move(file)), database_(std::move(database)) {}
Gradebook::Gradebook(Gradebook&&) noexcept = default;
Gradebook::~Gradebook() = default;

Gradebook Gradebook::open(const std::filesystem::path& path) {
    const store::File file = store::whole_path(path, gradebook_kind());
    store::Opened opened = store::open_database(file);
    store::guarded(file, [&] { take_hold(*opened.database); });
    return {file, std::move(opened.database)};
}

std::optional<Setup> Gradebook::setup() const {
    return store::guarded(file_, [&]() -> std::optional<Setup> {
        SQLite::Statement query(*database_, "SELECT document, seed FROM assignment");
        if (!query.executeStep()) return std::nullopt;
        return Setup{query.getColumn(0).getString(),
                     static_cast<std::uint64_t>(query.getColumn(1).getInt64())};
    });
}

void Gradebook::keep_setup(const Setup& setup) {
    store::guarded(file_, [&] {
        run(*database_, "INSERT OR REPLACE INTO assignment (id, document, seed) VALUES (1, ?, ?)",
            setup.document, as_signed(setup.seed));
    });
}

void Gradebook::enrol(std::span<const coursework::Student> roster) {
    store::guarded(file_, [&] {
        SQLite::Transaction transaction(*database_);
        database_->exec("UPDATE student SET listed = 0");
        for (const coursework::Student& student : roster)
            run(*database_, R"sql(
                INSERT INTO student (id, name, email, section, listed) VALUES (?1, ?2, ?3, ?4, 1)
                ON CONFLICT (id) DO UPDATE SET name = ?2, email = ?3, section = ?4, listed = 1)sql",
                student.id, student.name, student.email, student.section);
        transaction.commit();
    });
}

bool Gradebook::hand_in(const Handed& handed) {
    return store::guarded(file_, [&] {
        const Attempt& attempt = handed.attempt;
        SQLite::Transaction transaction(*database_);
        run(*database_,
            "INSERT INTO student (id, name, email, section, listed) VALUES (?, '', '', '', 0) ON CONFLICT DO "
            "NOTHING",
            attempt.student);
        const bool is_new = run(*database_, R"sql(
            INSERT INTO submission (student, digest, source, submitted, trouble) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT DO NOTHING)sql",
                                attempt.student, digest_of(attempt), attempt.source,
                                coursework::utc(attempt.submitted), attempt.trouble) > 0;
        SQLite::Statement query(*database_, "SELECT id FROM submission WHERE student = ? AND digest = ?");
        query.bind(1, attempt.student);
        query.bind(2, digest_of(attempt));
        query.executeStep();
        insert_works(*database_, query.getColumn(0).getInt64(), attempt);
        insert_files(*database_, handed);
        query.reset();
        transaction.commit();
        return is_new;
    });
}

std::optional<Id> Gradebook::find(const std::string& key) const {
    return store::guarded(file_, [&]() -> std::optional<Id> {
        SQLite::Statement query(*database_, "SELECT id FROM judgement WHERE key = ?");
        query.bind(1, key);
        if (!query.executeStep()) return std::nullopt;
        return query.getColumn(0).getInt64();
    });
}

namespace {

void insert_tests(SQLite::Database& database, Id judgement, const coursework::Outcome& outcome) {
    for (std::size_t i = 0; i < outcome.tests.size(); ++i) {
        const coursework::TestOutcome& test = outcome.tests[i];
        run(database,
            "INSERT INTO test (judgement, number, name, verdict, points, max_points, hidden) VALUES (?, ?, "
            "?, ?, ?, ?, ?)",
            judgement, static_cast<std::int64_t>(i), test.name, std::string(model::name(test.verdict)),
            test.points, test.max_points, test.hidden ? 1 : 0);
    }
    for (std::size_t i = 0; i < outcome.mistakes.size(); ++i)
        run(database, "INSERT INTO mistake (judgement, number, name, certain) VALUES (?, ?, ?, ?)", judgement,
            static_cast<std::int64_t>(i), outcome.mistakes[i].name, outcome.mistakes[i].certain ? 1 : 0);
}

void set_judgement(SQLite::Database& database, const WorkId& work, Id judgement) {
    run(database,
        "UPDATE work SET state = 'judged', note = '', judgement = ? WHERE submission = ? AND problem = ?",
        judgement, work.submission, work.problem);
}

} // namespace

Id Gradebook::keep(const std::string& key, const std::string& hash, const std::string& package,
                   const coursework::Outcome& outcome, std::span<const WorkId> works) {
    return store::guarded(file_, [&] {
        SQLite::Transaction transaction(*database_);
        run(*database_, R"sql(
            INSERT INTO judgement (key, problem, hash, package, verdict, points, max_points, seed, depth, isolation,
                                   engine, compiler, started, took_ms, report)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?))sql",
            key, outcome.problem, hash, package, std::string(model::name(outcome.verdict)), outcome.points,
            outcome.max_points, as_signed(outcome.seed), outcome.depth, outcome.isolation, outcome.engine,
            outcome.compiler, outcome.started, static_cast<std::int64_t>(outcome.took.count()),
            outcome.report);
        const Id judgement = database_->getLastInsertRowid();
        insert_tests(*database_, judgement, outcome);
        for (const WorkId& work : works)
            set_judgement(*database_, work, judgement);
        transaction.commit();
        return judgement;
    });
}

void Gradebook::assign(std::span<const std::pair<WorkId, Id>> works) {
    store::guarded(file_, [&] {
        SQLite::Transaction transaction(*database_);
        for (const auto& [work, judgement] : works)
            set_judgement(*database_, work, judgement);
        transaction.commit();
    });
}

void Gradebook::keep_unjudged(std::span<const WorkId> works, const std::string& why) {
    store::guarded(file_, [&] {
        SQLite::Transaction transaction(*database_);
        for (const WorkId& work : works)
            run(*database_,
                "UPDATE work SET state = 'unjudged', note = ? WHERE submission = ? AND problem = ? AND state "
                "<> 'judged'",
                why, work.submission, work.problem);
        transaction.commit();
    });
}

void Gradebook::change(const Change& change) {
    store::guarded(file_, [&] {
        if (!is_known(*database_, change.student))
            throw model::UsageError("the gradebook has no student " + change.student);
        run(*database_,
            "INSERT INTO change (student, problem, percent, who, why, made) VALUES (?, ?, ?, ?, ?, ?)",
            change.student, change.problem, change.percent, change.who, change.why, change.made);
    });
}

} // namespace gradebook
