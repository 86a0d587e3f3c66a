#include "catalogue/curriculum_check.h"

#include "catalogue/order.h"
#include "model/errors.h"
#include "text/nearest.h"

#include <algorithm>
#include <map>
#include <set>

namespace catalogue {
namespace {

using std::filesystem::path;

std::string at(const std::string& file, const Pointer& where, const std::string& what) {
    return file + ": " + where.to_string() + " " + what;
}

/// The packages that lie in problems/, by name.
std::vector<std::string> packages_in(const path& problems) {
    std::vector<std::string> ids;
    std::error_code error;
    for (std::filesystem::directory_iterator it(problems, error), end; !error && it != end;
         it.increment(error))
        if (std::filesystem::exists(it->path() / "problem.json", error))
            ids.push_back(it->path().filename().string());
    std::ranges::sort(ids);
    return ids;
}

/// Which problems each one needs to be solved before it.
struct Needs {
    std::string manifest; ///< how messages call it
    std::vector<std::string> ids;
};

class Check {
  public:
    Check(const Content& content, const std::vector<std::string>& earlier)
        : content_(content), earlier_(earlier.begin(), earlier.end()), order_(read_order(content)),
          packages_(packages_in(content.problems)) {}

    std::vector<std::string> faults() {
        check_ids();
        for (const std::string& id : packages_)
            read_needs(id);
        for (const auto& [id, needs] : needs_)
            check_needs(id, needs);
        for (const auto& [id, needs] : needs_)
            look_for_cycle(id);
        return std::move(faults_);
    }

  private:
    void check_ids() {
        const std::string& file = order_.document.name;
        for (std::size_t i = 0; i < order_.ids.size(); ++i) {
            const std::string& id = order_.ids[i];
            if (std::ranges::find(packages_, id) != packages_.end()) continue;
            const auto meant = text::nearest(id, packages_);
            faults_.push_back(at(file, Pointer("/problems") / i,
                                 "must be a problem of this collection (got " + cited(id) + ")" +
                                     (meant ? ", did you mean " + cited(*meant) + "?" : "")));
        }
        for (const std::string& id : packages_)
            if (!place_of(id))
                faults_.push_back(
                    at(file, Pointer("/problems"), "has no " + cited(id) + ", which problems/" + id + " is"));
    }

    std::optional<std::size_t> place_of(const std::string& id) const {
        const auto found = std::ranges::find(order_.ids, id);
        if (found == order_.ids.end()) return std::nullopt;
        return found - order_.ids.begin();
    }

    void read_needs(const std::string& id) {
        try {
            const Document manifest = read_document(content_, content_.problems / id / "problem.json");
            schema_.check(manifest);
            needs_[id] = {manifest.name,
                          manifest.content.at("prerequisites").get<std::vector<std::string>>()};
        } catch (const model::ContentError& error) {
            faults_.push_back(error.what());
        }
    }

    void check_needs(const std::string& id, const Needs& needs) {
        const auto own = place_of(id);
        for (std::size_t i = 0; i < needs.ids.size(); ++i) {
            const std::string& needed = needs.ids[i];
            const Pointer where = Pointer("/prerequisites") / i;
            const auto place = place_of(needed);
            if (earlier_.contains(needed)) continue;
            if (!place)
                faults_.push_back(at(needs.manifest, where,
                                     "must be a problem of curriculum.json (got " + cited(needed) + ")"));
            else if (own && *place >= *own)
                faults_.push_back(at(order_.document.name, Pointer("/problems") / *own,
                                     "comes before its prerequisite " + cited(needed) + " (" +
                                         (Pointer("/problems") / *place).to_string() + ")"));
        }
    }

    /// Names a circle of prerequisites once: from the first of its problems by name.
    void look_for_cycle(const std::string& id) {
        std::set<std::string> seen;
        std::vector<std::string> way{id};
        if (!leads_back(id, way, seen)) return;
        std::string words;
        for (const std::string& each : way)
            words += (words.empty() ? "" : " needs ") + each;
        faults_.push_back(needs_.at(id).manifest + ": /prerequisites lead back to the problem: " + words);
    }

    bool leads_back(const std::string& start, std::vector<std::string>& way,
                    std::set<std::string>& seen) const {
        const auto found = needs_.find(way.back());
        if (found == needs_.end()) return false;
        for (const std::string& next : found->second.ids) {
            if (next < start) continue; // that circle begins elsewhere
            if (next != start && !seen.insert(next).second) continue;
            way.push_back(next);
            if (next == start || leads_back(start, way, seen)) return true;
            way.pop_back();
        }
        return false;
    }

    const Content& content_;
    std::set<std::string> earlier_;
    Order order_;
    Schema schema_ = read_schema(content_, "problem");
    std::vector<std::string> packages_;
    std::map<std::string, Needs> needs_;
    std::vector<std::string> faults_;
};

} // namespace

std::vector<std::string> curriculum_faults(const Content& content, const std::vector<std::string>& earlier) {
    return Check(content, earlier).faults();
}

} // namespace catalogue
