#include "store/store.h"

#include "store/open.h"
#include "store/plants.h"
#include "store/progress.h"
#include "store/schema.h"

#include <sqlite3.h>

#include <algorithm>
#include <cassert>
#include <optional>
#include <utility>

namespace store {
namespace {

void insert_stage(SQLite::Database& database, const std::string& problem, Stage stage) {
    SQLite::Statement insert(database,
                             "INSERT INTO stage (problem, stage) VALUES (?, ?) ON CONFLICT DO NOTHING");
    insert.bind(1, problem);
    insert.bind(2, std::string(name(stage)));
    insert.exec();
}

model::Verdict read_verdict(const std::string& word) {
    if (const auto verdict = model::verdict_from_name(word)) return *verdict;
    throw SQLite::Exception("unknown verdict in an attempt", SQLITE_CORRUPT);
}

model::Standing read_standing(const std::string& word) {
    if (const auto standing = model::value_of(model::standings, word)) return *standing;
    throw SQLite::Exception("unknown mark of an answer", SQLITE_CORRUPT);
}

const std::string attempt_columns =
    "SELECT number, problem, started, command, graded, verdict, points, max_points, seed FROM attempt ";

Attempt read_attempt(SQLite::Statement& row) {
    return {static_cast<std::uint64_t>(row.getColumn(0).getInt64()),
            row.getColumn(1).getString(),
            row.getColumn(2).getString(),
            row.getColumn(3).getString(),
            row.getColumn(4).getInt() != 0,
            read_verdict(row.getColumn(5).getString()),
            row.getColumn(6).getDouble(),
            row.getColumn(7).getDouble(),
            static_cast<std::uint64_t>(row.getColumn(8).getInt64())};
}

} // namespace

Store::Store(File file, std::unique_ptr<SQLite::Database> database)
    : file_(std::move(file)), database_(std::move(database)) {}
Store::Store(Store&&) noexcept = default;
Store& Store::operator=(Store&&) noexcept = default;
Store::~Store() = default;

template <typename Work>
auto Store::guarded(Work work) const {
    return store::guarded(file_, work);
}

Store Store::open(const std::filesystem::path& database) {
    const File file = whole_path(database, progress_kind());
    Opened opened = open_database(file);
    Store store(file, std::move(opened.database));
    store.migrated_from_ = opened.migrated_from;
    return store;
}

std::uint64_t Store::record(const model::Judgement& judgement, std::string_view command) {
    return guarded([&] {
        SQLite::Transaction transaction(*database_, SQLite::TransactionBehavior::IMMEDIATE);
        SQLite::Statement insert(*database_, R"sql(
            INSERT INTO attempt (problem, number, started, command, graded, verdict, points, max_points, seed)
            VALUES (?1, (SELECT coalesce(max(number), 0) + 1 FROM attempt WHERE problem = ?1), ?2, ?3, ?4, ?5, ?6, ?7, ?8)
            RETURNING number)sql");
        insert.bind(1, judgement.problem_id);
        insert.bind(2, judgement.started);
        insert.bind(3, std::string(command));
        insert.bind(4, judgement.graded ? 1 : 0);
        insert.bind(5, std::string(model::name(judgement.verdict)));
        insert.bind(6, judgement.points);
        insert.bind(7, judgement.max_points);
        insert.bind(8, static_cast<std::int64_t>(judgement.seed)); // the same 64 bits; SQLite has no unsigned
        insert.executeStep();
        const auto number = static_cast<std::uint64_t>(insert.getColumn(0).getInt64());
        insert.reset();
        if (judgement.graded && judgement.verdict == model::Verdict::accepted) {
            if (command != fix_command)
                insert_stage(*database_, judgement.problem_id, Stage::build);
            else if (mark_repaired(*database_, judgement.problem_id))
                insert_stage(*database_, judgement.problem_id, Stage::harden);
        }
        transaction.commit();
        return number;
    });
}

void Store::record_hint(std::string_view problem, int rung) {
    assert(rung > 0);
    guarded([&] {
        SQLite::Statement insert(*database_,
                                 "INSERT INTO hint (problem, rung) VALUES (?, ?) ON CONFLICT DO NOTHING");
        insert.bind(1, std::string(problem));
        insert.bind(2, rung);
        insert.exec();
    });
}

void Store::reach(std::string_view problem, Stage stage) {
    guarded([&] { insert_stage(*database_, std::string(problem), stage); });
}

std::vector<Stage> Store::stages(std::string_view problem) const {
    return guarded([&] {
        SQLite::Statement query(*database_, "SELECT 1 FROM stage WHERE problem = ? AND stage = ?");
        std::vector<Stage> reached;
        for (const Stage stage : {Stage::build, Stage::justify, Stage::harden}) {
            query.bind(1, std::string(problem));
            query.bind(2, std::string(name(stage)));
            if (query.executeStep()) reached.push_back(stage);
            query.reset();
        }
        return reached;
    });
}

std::vector<Progress> Store::progress() const {
    return guarded([&] { return read_progress(*database_, std::nullopt); });
}

Progress Store::progress(std::string_view problem) const {
    return guarded([&] {
        auto rows = read_progress(*database_, std::string(problem));
        if (!rows.empty()) return std::move(rows.front());
        Progress untouched;
        untouched.problem = problem;
        return untouched;
    });
}

std::vector<Attempt> Store::attempts(std::string_view problem, std::size_t most) const {
    return guarded([&] {
        SQLite::Statement query(*database_,
                                attempt_columns + "WHERE problem = ? ORDER BY number DESC LIMIT ?");
        query.bind(1, std::string(problem));
        query.bind(2, static_cast<std::int64_t>(std::min<std::size_t>(most, INT64_MAX)));
        std::vector<Attempt> rows;
        while (query.executeStep())
            rows.push_back(read_attempt(query));
        return rows;
    });
}

std::optional<Attempt> Store::accepted_attempt(std::string_view problem) const {
    return guarded([&]() -> std::optional<Attempt> {
        SQLite::Statement query(*database_, attempt_columns +
                                                "WHERE problem = ? AND graded AND verdict = 'accepted' "
                                                "AND command <> 'submit-fix' ORDER BY number DESC LIMIT 1");
        query.bind(1, std::string(problem));
        if (!query.executeStep()) return std::nullopt;
        return read_attempt(query);
    });
}

void Store::record_plant(std::string_view problem, const Plant& plant) {
    guarded([&] { insert_plant(*database_, problem, plant); });
}

std::vector<Plant> Store::plants(std::string_view problem) const {
    return guarded([&] { return read_plants(*database_, problem); });
}

void Store::record_answer(std::string_view problem, std::uint64_t attempt, std::string_view question,
                          const model::Answer& answer, model::Standing standing) {
    guarded([&] {
        std::string met;
        for (const std::size_t point : answer.met)
            met += (met.empty() ? "" : " ") + std::to_string(point);
        SQLite::Statement insert(
            *database_,
            "INSERT INTO answer (problem, attempt, question, text, met, mark) VALUES (?, ?, ?, ?, ?, ?)");
        insert.bind(1, std::string(problem));
        insert.bind(2, static_cast<std::int64_t>(attempt));
        insert.bind(3, std::string(question));
        insert.bind(4, answer.text);
        insert.bind(5, met);
        insert.bind(6, std::string(model::name(standing)));
        insert.exec();
    });
}

model::Justification Store::justification(std::string_view problem, std::uint64_t attempt) const {
    return guarded([&] {
        // Beside max(), SQLite takes the other columns from the row that holds the maximum: the last answer.
        SQLite::Statement query(*database_, R"sql(
            SELECT question, mark, count(*), max(id) FROM answer
            WHERE problem = ? AND attempt = ? GROUP BY question ORDER BY question)sql");
        query.bind(1, std::string(problem));
        query.bind(2, static_cast<std::int64_t>(attempt));
        model::Justification found{attempt, {}};
        while (query.executeStep())
            found.questions.push_back({query.getColumn(0).getString(),
                                       read_standing(query.getColumn(1).getString()),
                                       static_cast<std::uint64_t>(query.getColumn(2).getInt64())});
        return found;
    });
}

std::optional<std::uint64_t> Store::last_justified(std::string_view problem) const {
    return guarded([&]() -> std::optional<std::uint64_t> {
        SQLite::Statement query(*database_,
                                "SELECT attempt FROM answer WHERE problem = ? ORDER BY id DESC LIMIT 1");
        query.bind(1, std::string(problem));
        if (!query.executeStep()) return std::nullopt;
        return static_cast<std::uint64_t>(query.getColumn(0).getInt64());
    });
}

} // namespace store
