#include "app/scaffold/scaffold.h"

#include "build/file.h"
#include "catalogue/document.h"
#include "collections/find.h"
#include "model/errors.h"
#include "workspace/find.h"
#include "workspace/write.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <iterator>
#include <unistd.h>

namespace scaffold {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view placeholder = "@ID@";
constexpr std::array parts{"problems", "exercises", "reference"}; ///< of a collection, and of each template

fs::path curriculum_of(const Site& site) {
    return site.collection / "problems" / "curriculum.json";
}

[[noreturn]] void refuse(const Site& site, const std::string& id, const std::string& why) {
    throw model::UsageError("cannot make the problem " + id + " in " + site.collection.string() + ": " + why);
}

/// What is there as it is: a folder that leads elsewhere could lead into the engine.
void check_folder(const Site& site, const std::string& id, const fs::path& folder) {
    std::error_code error;
    const fs::path real = fs::weakly_canonical(folder, error);
    for (const fs::path& own : site.engine)
        if (error || collections::is_within(real, fs::weakly_canonical(own, error)))
            refuse(site, id,
                   own.string() + " is the engine's own; use a folder of yours, empty or with a "
                                  "collection");
    if (real != folder)
        refuse(site, id, folder.string() + " leads to " + real.string() + "; make it a folder");
    if (fs::exists(folder, error) && access(folder.c_str(), W_OK) != 0)
        refuse(site, id, folder.string() + ": " + std::strerror(errno));
}

void check(const Site& site, const std::string& id) {
    if (!catalogue::is_slug(id))
        throw model::UsageError("cannot make a problem called '" + id +
                                "': an id is lower-case words of letters and digits joined by '-', such as "
                                "token-lookup");
    check_folder(site, id, site.collection);
    std::error_code ignored;
    if (workspace::shape_of(site.collection, {}) != workspace::Shape::none)
        refuse(site, id, "it is a learner's workspace; use an empty folder");
    if (const auto above = collections::collection_above(site.collection))
        refuse(site, id, "it lies inside the collection " + above->string() + "; go there, or elsewhere");
    const bool begun = fs::exists(curriculum_of(site), ignored);
    for (const char* part : parts) {
        check_folder(site, id, site.collection / part);
        if (!begun && fs::exists(fs::symlink_status(site.collection / part, ignored)))
            refuse(site, id,
                   "there is " + std::string(part) +
                       "/ but no problems/curriculum.json, so it is no "
                       "collection; use an empty folder");
        if (fs::exists(fs::symlink_status(site.collection / part / id, ignored)))
            refuse(site, id, (site.collection / part / id).string() + " exists already; choose another id");
    }
}

/// The curriculum with this problem at its end.
std::string curriculum_with(const Site& site, const std::string& id) {
    nlohmann::ordered_json json{
        {"format", "engine.curriculum/1"}, {"title", "A collection"}, {"problems", nlohmann::json::array()}};
    const fs::path file = curriculum_of(site);
    std::error_code ignored;
    if (fs::exists(file, ignored)) {
        const catalogue::Source source = catalogue::read_source(file, site.collection);
        const catalogue::Document document = catalogue::parse(source);
        if (!document.content.is_object() || !document.content.contains("problems") ||
            !document.content.at("problems").is_array())
            document.fail(catalogue::Pointer("/problems"), "must be an array");
        json = nlohmann::ordered_json::parse(source.text);
    }
    json["problems"].push_back(id);
    return json.dump(2) + "\n";
}

std::string filled(std::string text, const std::string& id) {
    for (std::size_t at = 0; (at = text.find(placeholder, at)) != std::string::npos; at += id.size())
        text.replace(at, placeholder.size(), id);
    return text;
}

std::vector<fs::path> files_below(const fs::path& folder) {
    std::vector<fs::path> files;
    std::error_code error;
    for (fs::recursive_directory_iterator it(folder, error), end; !error && it != end; it.increment(error))
        if (it->is_regular_file(error)) files.push_back(it->path());
    if (files.empty())
        throw model::EnvironmentError("cannot read the template in " + folder.string() +
                                      "; build or install the engine again");
    std::ranges::sort(files);
    return files;
}

/// What a problem of this language begins with.
std::vector<fs::path> files_of(const Site& site, model::Language language) {
    std::vector<fs::path> files = files_below(site.templates / "shared");
    std::ranges::move(files_below(site.templates / (language == model::Language::cuda ? "cuda" : "cpp")),
                      std::back_inserter(files));
    return files;
}

/// Removes the folders of the problem, and those of the collection that are empty then.
void take_back(const Site& site, const std::string& id) {
    std::error_code ignored;
    for (const char* part : parts) {
        fs::remove_all(site.collection / part / id, ignored);
        fs::remove(site.collection / part, ignored);
    }
}

} // namespace

std::vector<fs::path> make_problem(const Site& site, const std::string& id, model::Language language) {
    check(site, id);
    const std::string curriculum = curriculum_with(site, id);
    std::vector<fs::path> written;
    try {
        for (const fs::path& source : files_of(site, language)) {
            const fs::path below = source.lexically_relative(site.templates); // cpp/problems/suite.cpp
            const fs::path part = *std::next(below.begin());
            const fs::path name = part / id / below.lexically_relative(*below.begin() / part);
            workspace::write(site.collection, name, filled(build::read_if_there(source), id));
            written.push_back(site.collection / name);
        }
        workspace::write(site.collection, "problems/curriculum.json",
                         curriculum); // last: what it lists is there
    } catch (...) {
        take_back(site, id);
        throw;
    }
    return written;
}

} // namespace scaffold
