#include "grading/places.h"

#include <algorithm>
#include <map>
#include <string>

namespace grading {
namespace {

using Places = std::map<std::string, model::Location>; ///< by test

/// Keeps the first place of a test.
void add(Places& places, const std::string& test, const std::string& file, int line) {
    if (line > 0) places.try_emplace(test, model::Location{.file = file, .line = line});
}

} // namespace

void set_places(const events::DriverRun& judged, const std::vector<model::SanitizerFinding>& findings,
                std::vector<model::TestResult>& tests) {
    Places places;
    for (const model::SanitizerFinding& finding : findings)
        add(places, finding.test, finding.file, finding.line);
    for (const events::Event& event : judged.events)
        if (const auto* ended = std::get_if<events::CaseEnded>(&event); ended && !ended->findings.empty())
            add(places, ended->name, ended->findings.front().file, ended->findings.front().line);
    for (model::TestResult& test : tests)
        if (const auto place = places.find(test.name);
            place != places.end() && test.verdict != model::Verdict::accepted)
            test.place = place->second;
}

} // namespace grading
