#include "catalogue/collections.h"

#include "catalogue/order.h"
#include "model/errors.h"

#include <algorithm>
#include <iterator>

namespace catalogue {

model::Curriculum load_all(const std::vector<Content>& collections) {
    model::Curriculum all;
    std::vector<std::string> earlier;
    for (const Content& content : collections) {
        model::Curriculum one = load(content, earlier);
        if (all.title.empty()) all.title = one.title;
        for (model::Problem& problem : one.problems) {
            if (collections.size() > 1) holder_of(collections, problem.id); // refuses a second one
            earlier.push_back(problem.id);
            all.problems.push_back(std::move(problem));
        }
    }
    return all;
}

const Content* holder_of(const std::vector<Content>& collections, const std::string& id) {
    const Content* holder = nullptr;
    for (const Content& content : collections) {
        std::error_code ignored;
        if (!is_slug(id) || !std::filesystem::is_directory(content.problems / id, ignored)) continue;
        if (holder != nullptr)
            throw model::ContentError("two collections have the problem " + id + ": " +
                                      (holder->problems / id).string() + " and " +
                                      (content.problems / id).string() +
                                      "; rename one of them, or use one collection without the other");
        holder = &content;
    }
    return holder;
}

model::Problem load_from(const std::vector<Content>& collections, const std::string& id,
                         const Loading& loading) {
    const Content* holder = holder_of(collections, id);
    if (holder == nullptr) holder = &collections.front(); // says that there is none
    std::vector<std::string> earlier;
    for (const Content* before = collections.data(); before != holder; ++before)
        std::ranges::move(read_order(*before).ids, std::back_inserter(earlier));
    return load_problem(*holder, id, earlier, loading);
}

} // namespace catalogue
