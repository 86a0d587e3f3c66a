#include "store/progress.h"

namespace store {
namespace {

// A problem counts as touched as soon as a hint was read.
constexpr const char* progress_query = R"sql(
WITH touched (problem) AS (SELECT problem FROM attempt UNION SELECT problem FROM hint),
     counted AS (SELECT * FROM attempt WHERE verdict <> 'judge_error'),
     built AS (SELECT * FROM counted WHERE graded AND command <> 'submit-fix')
SELECT problem,
    EXISTS (SELECT 1 FROM built b WHERE b.problem = t.problem AND b.verdict = 'accepted'),
    (SELECT points FROM built b WHERE b.problem = t.problem ORDER BY points DESC, number LIMIT 1),
    (SELECT max_points FROM built b WHERE b.problem = t.problem ORDER BY points DESC, number LIMIT 1),
    (SELECT count(*) FROM counted c WHERE c.problem = t.problem),
    (SELECT count(*) FROM hint h WHERE h.problem = t.problem),
    (SELECT started FROM counted c WHERE c.problem = t.problem ORDER BY number DESC LIMIT 1)
FROM touched t WHERE ?1 IS NULL OR problem = ?1 ORDER BY problem
)sql";

} // namespace

std::vector<Progress> read_progress(SQLite::Database& database, const std::optional<std::string>& problem) {
    SQLite::Statement query(database, progress_query);
    if (problem) query.bind(1, *problem);
    std::vector<Progress> rows;
    while (query.executeStep())
        rows.push_back({query.getColumn(0).getString(), query.getColumn(1).getInt() != 0,
                        query.getColumn(2).getDouble(), query.getColumn(3).getDouble(),
                        static_cast<std::uint64_t>(query.getColumn(4).getInt64()),
                        query.getColumn(5).getInt(), query.getColumn(6).getString()});
    return rows;
}

} // namespace store
