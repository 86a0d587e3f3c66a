#include "gradebook/gradebook.h"
#include "store/open.h"

#include <sqlite3.h>

#include <algorithm>

namespace gradebook {
namespace {

[[noreturn]] void corrupt(const char* what) {
    throw SQLite::Exception(what, SQLITE_CORRUPT);
}

model::Verdict verdict_of(const std::string& word) {
    if (const auto verdict = model::verdict_from_name(word)) return *verdict;
    corrupt("unknown verdict");
}

template <class Read>
void each_row(SQLite::Database& database, const char* sql, Read read) {
    SQLite::Statement query(database, sql);
    while (query.executeStep())
        read(query);
}

std::string text_at(SQLite::Statement& row, int column) {
    return row.getColumn(column).getString();
}

void read_students(SQLite::Database& database, Book& book) {
    each_row(database, "SELECT id, name, email, section, listed FROM student ORDER BY id",
             [&](SQLite::Statement& row) {
                 book.students.push_back(
                     {{text_at(row, 0), text_at(row, 1), text_at(row, 2), text_at(row, 3)},
                      row.getColumn(4).getInt() != 0});
             });
}

Attempt read_attempt(SQLite::Statement& row) {
    const auto submitted = coursework::from_utc(text_at(row, 3));
    if (!submitted) corrupt("unknown time of a submission");
    return {
        row.getColumn(0).getInt64(), text_at(row, 1), text_at(row, 2), *submitted, text_at(row, 4), {}, {}};
}

Work read_work(SQLite::Statement& row) {
    const auto state = model::value_of(states, text_at(row, 2));
    if (!state) corrupt("unknown state of a work");
    Work work{text_at(row, 1), *state, text_at(row, 3), text_at(row, 4), text_at(row, 6), {}};
    if (!row.getColumn(5).isNull()) work.judgement = row.getColumn(5).getInt64();
    return work;
}

AnswerRow read_answer(SQLite::Statement& row) {
    const auto mark = model::value_of(model::standings, text_at(row, 4));
    if (!mark) corrupt("unknown mark of an answer");
    return {text_at(row, 1), text_at(row, 2), text_at(row, 3), *mark, text_at(row, 5)};
}

void read_attempts(SQLite::Database& database, Book& book) {
    std::map<Id, Attempt> attempts;
    each_row(
        database, "SELECT id, student, source, submitted, trouble FROM submission",
        [&](SQLite::Statement& row) { attempts.emplace(row.getColumn(0).getInt64(), read_attempt(row)); });
    each_row(database, "SELECT submission, problem, state, hash, note, judgement, refused FROM work",
             [&](SQLite::Statement& row) {
                 attempts.at(row.getColumn(0).getInt64()).works.push_back(read_work(row));
             });
    each_row(database, "SELECT submission, problem, question, kind, mark, text FROM answer",
             [&](SQLite::Statement& row) {
                 attempts.at(row.getColumn(0).getInt64()).answers.push_back(read_answer(row));
             });
    for (auto& [id, attempt] : attempts)
        book.attempts.push_back(std::move(attempt));
    std::ranges::stable_sort(book.attempts, {}, &Attempt::submitted); // they are in the order of their ids
}

void read_judgements(SQLite::Database& database, Book& book) {
    each_row(database,
             "SELECT id, key, problem, hash, package, verdict, points, max_points, seed, depth, isolation, "
             "engine, "
             "compiler, started, took_ms FROM judgement",
             [&](SQLite::Statement& row) {
                 book.judged.emplace(row.getColumn(0).getInt64(),
                                     Judged{text_at(row, 1),
                                            text_at(row, 2),
                                            text_at(row, 3),
                                            text_at(row, 4),
                                            verdict_of(text_at(row, 5)),
                                            row.getColumn(6).getDouble(),
                                            row.getColumn(7).getDouble(),
                                            static_cast<std::uint64_t>(row.getColumn(8).getInt64()),
                                            text_at(row, 9),
                                            text_at(row, 10),
                                            text_at(row, 11),
                                            text_at(row, 12),
                                            text_at(row, 13),
                                            {},
                                            {},
                                            std::chrono::milliseconds(row.getColumn(14).getInt64())});
             });
    each_row(
        database,
        "SELECT judgement, name, verdict, points, max_points, hidden FROM test ORDER BY judgement, number",
        [&](SQLite::Statement& row) {
            book.judged.at(row.getColumn(0).getInt64())
                .tests.push_back({text_at(row, 1), verdict_of(text_at(row, 2)), row.getColumn(3).getDouble(),
                                  row.getColumn(4).getDouble(), row.getColumn(5).getInt() != 0});
        });
    each_row(database, "SELECT judgement, name, certain FROM mistake ORDER BY judgement, number",
             [&](SQLite::Statement& row) {
                 book.judged.at(row.getColumn(0).getInt64())
                     .mistakes.push_back({text_at(row, 1), row.getColumn(2).getInt() != 0});
             });
}

void read_changes(SQLite::Database& database, Book& book) {
    each_row(database, "SELECT student, problem, percent, who, why, made FROM change ORDER BY id",
             [&](SQLite::Statement& row) {
                 book.changes.push_back({text_at(row, 0), text_at(row, 1), row.getColumn(2).getDouble(),
                                         text_at(row, 3), text_at(row, 4), text_at(row, 5)});
             });
}

} // namespace

Book Gradebook::read() const {
    return store::guarded(file_, [&] {
        Book book;
        read_students(*database_, book);
        read_attempts(*database_, book);
        read_judgements(*database_, book);
        read_changes(*database_, book);
        return book;
    });
}

std::vector<model::SourceFile> Gradebook::files(const std::string& hash) const {
    return store::guarded(file_, [&] {
        SQLite::Statement query(*database_, "SELECT file, text FROM source WHERE hash = ? ORDER BY file");
        query.bind(1, hash);
        std::vector<model::SourceFile> files;
        while (query.executeStep()) {
            const SQLite::Column text = query.getColumn(1);
            files.push_back({text_at(query, 0), std::string(static_cast<const char*>(text.getBlob()),
                                                            static_cast<std::size_t>(text.getBytes()))});
        }
        return files;
    });
}

std::string Gradebook::report(Id judgement) const {
    return store::guarded(file_, [&] {
        SQLite::Statement query(*database_, "SELECT report FROM judgement WHERE id = ?");
        query.bind(1, judgement);
        if (!query.executeStep()) corrupt("a judgement is gone");
        return query.getColumn(0).getString();
    });
}

} // namespace gradebook
