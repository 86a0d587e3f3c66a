#include "report/formats.h"

#include "report/console.h"
#include "report/github.h"
#include "report/github_summary.h"
#include "report/html.h"
#include "report/json.h"
#include "report/junit.h"
#include "report/speed.h"

namespace report {

const std::vector<Format>& formats() {
    static const std::vector<Format> all{
        {"console", "for people: plain text, 80 columns",
         [](const model::Judgement& judgement) { return render_console(judgement, {}); }},
        {"html", "one page for a browser, with pictures of what failed", render_html},
        {"json", "for programs: engine.report/1", render_json},
        {"junit", "JUnit XML, for CI systems", render_junit},
        {"github", "GitHub Actions log: annotations on the file", render_github},
        {"github-summary", "Markdown for $GITHUB_STEP_SUMMARY", render_github_summary},
    };
    return all;
}

const std::vector<Format>& formats_of_bench() {
    static const std::vector<Format> all = [] {
        std::vector<Format> list = formats();
        list.push_back({"svg", "how fast it is, as a roofline", render_speed_svg});
        return list;
    }();
    return all;
}

} // namespace report
