#include "exports/formats.h"

#include "exports/autograder.h"
#include "exports/dashboard.h"
#include "exports/feedback.h"
#include "exports/platforms.h"
#include "exports/tables.h"

namespace exports {

const std::vector<Format>& formats() {
    static const std::vector<Format> all{
        {"csv", "all that is known, a row a student", false, render_csv},
        {"canvas", "for the import of Canvas's gradebook", false, render_canvas},
        {"moodle", "for the import of Moodle's grader report", false, render_moodle},
        {"answers", "the texts that a person has to mark", false, render_answers},
        {"gradescope", "results.json of Gradescope, a folder a student", true, render_gradescope},
        {"gradescope-autograder", "an autograder for this assignment, to upload to Gradescope", false,
         render_autograder},
        {"classroom50", "result.json of Classroom 50, a folder a student", true, render_classroom50},
        {"exercism", "results.json of Exercism, a folder a student and problem", true, render_exercism},
        {"sarif", "SARIF 2.1.0, a file a student", true, render_sarif},
        {"dashboard", "a page on the whole class, for its instructor", false, render_dashboard},
        {"html", "a page of feedback a student", true, render_feedback},
    };
    return all;
}

} // namespace exports
