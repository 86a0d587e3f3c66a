// A class list that `grade` is given.
#include "fuzz/target.h"

#include "coursework/csv.h"
#include "coursework/roster.h"
#include "model/errors.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const catalogue::Source source{"roster.csv", std::string(fuzz::text_of(data, size))};
    try {
        for (const coursework::Student& student : coursework::read_roster(source)) {
            fuzz::require(!student.id.empty(), "a student has an id");
            const std::vector<std::string> cells{student.id, student.name, "last"};
            const auto rows = coursework::read_csv("f", "a,b,c\n" + coursework::csv_line(cells));
            fuzz::require(rows.size() == 2 && rows[1].cells.size() == cells.size(),
                          "a line that is written can be read");
        }
    } catch (const model::ContentError&) { // any other exception ends the program
    }
    return 0;
}
