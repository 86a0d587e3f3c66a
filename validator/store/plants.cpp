#include "store/plants.h"

namespace store {

void insert_plant(SQLite::Database& database, std::string_view problem, const Plant& plant) {
    SQLite::Statement insert(database,
                             "INSERT INTO plant (problem, file, text, symptom) VALUES (?, ?, ?, ?)");
    insert.bind(1, std::string(problem));
    insert.bind(2, plant.file);
    insert.bind(3, plant.text);
    insert.bind(4, plant.symptom);
    insert.exec();
}

std::vector<Plant> read_plants(SQLite::Database& database, std::string_view problem) {
    SQLite::Statement query(database, "SELECT file, text, symptom, repaired IS NOT NULL, planted FROM plant "
                                      "WHERE problem = ? ORDER BY id DESC");
    query.bind(1, std::string(problem));
    std::vector<Plant> rows;
    while (query.executeStep())
        rows.push_back({query.getColumn(0).getString(), query.getColumn(1).getString(),
                        query.getColumn(2).getString(), query.getColumn(3).getInt() != 0,
                        query.getColumn(4).getString()});
    return rows;
}

bool mark_repaired(SQLite::Database& database, std::string_view problem) {
    SQLite::Statement update(database, "UPDATE plant SET repaired = strftime('%Y-%m-%dT%H:%M:%SZ', 'now') "
                                       "WHERE problem = ? AND repaired IS NULL");
    update.bind(1, std::string(problem));
    return update.exec() > 0;
}

} // namespace store
