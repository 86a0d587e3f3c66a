#include "exports/autograder.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace exports {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view setup = R"sh(#!/bin/sh
# Gradescope runs this once, as root, while it makes the image: it installs what the engine needs, builds it, and
# prepares what the problems are judged with.
set -eu
source=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd -P)
export DEBIAN_FRONTEND=noninteractive XDG_CACHE_HOME="$source/cache"
if grep -q '^VERSION_ID="22.04"' /etc/os-release; then
    echo "Ubuntu 22.04 lacks packages that the engine needs (libsqlitecpp-dev, libvalijson-dev, GCC 12 as g++):" \
        "choose a newer base image, or one of your own (docs/ci.md)" >&2
    exit 1
fi
"$source/engine/engine" prepare{0}
# Precompiles headers, and shows a fault of this image before a student meets it.
for id in{0}; do
    "$source/engine/engine" submit-build "$id" --from "$source/engine/reference/$id" --no-questions
done
)sh";

constexpr std::string_view run = R"sh(#!/bin/sh
# Gradescope runs this for each submission. If judging fails, there are no results, which Gradescope shows as a failure of
# the autograder and not as a score.
set -eu
root=${AUTOGRADER_ROOT:-/autograder}
export XDG_CACHE_HOME="$root/source/cache"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/class"
cp -RP "$root/submission" "$work/class/submission"
cd "$work"
"$root/source/engine/build/release/app/engine" grade class --assignment "$root/source/assignment.json" \
    --require-isolation C --export gradescope --output out
cp out/submission/results.json "$root/results/results.json"
)sh";

std::string assignment_of(const AutograderParts& parts) {
    Json document = Json::parse(parts.assignment);
    for (const char* key : {"deadline", "time_zone", "late", "seeds", "counts"})
        document.erase(key);
    if (!document.contains("seed")) document["seed"] = parts.seed;
    return document.dump(1) + "\n";
}

} // namespace

std::vector<File> render_autograder(const GradedClass& graded) {
    AutograderParts parts = graded.autograder();
    std::string problems;
    for (const coursework::AssignedProblem& problem : graded.assignment.problems)
        problems += " " + problem.id;
    std::vector<ZipEntry> entries;
    for (ZipEntry& file : parts.source)
        entries.push_back({"engine/" + file.path, std::move(file.text), file.executable});
    entries.push_back({"assignment.json", assignment_of(parts)});
    entries.push_back({"setup.sh", fmt::format(setup, problems), true});
    entries.push_back({"run_autograder", std::string(run), true});
    return {{"", zip(std::move(entries))}};
}

} // namespace exports
