#include "intake/select.h"

#include <doctest/doctest.h>

using intake::Entry;
using intake::Missing;
using intake::select_files;
using intake::Unclear;

namespace {

model::Problem problem(const char* id, std::vector<std::string> files) {
    model::Problem problem;
    problem.id = id;
    problem.files = std::move(files);
    return problem;
}

const std::vector<model::Problem> two{problem("first-row", {"row.cpp"}),
                                      problem("token-lookup", {"lookup.cpp"})};
const std::vector<model::Problem> same_name{problem("cuda-a", {"kernel.cu"}),
                                            problem("cuda-b", {"kernel.cu"})};

std::string text_of(const intake::Selected& selected) {
    const auto* files = std::get_if<std::vector<model::SourceFile>>(&selected);
    return files == nullptr ? "none" : files->at(0).text;
}

} // namespace

TEST_CASE("a file is found in the problem's folder, wherever that is, before any other of its name") {
    CHECK(text_of(select_files(two[0], two, {{"hw/first-row/row.cpp", "right"}, {"old/row.cpp", "wrong"}})) ==
          "right");
    CHECK(text_of(select_files(two[0], two, {{"row.cpp", "bare"}})) == "bare");
    CHECK(text_of(select_files(two[0], two, {{"arrow.cpp", "no"}, {"my-first-row/row.cpp", "by name"}})) ==
          "by name");
}

TEST_CASE("a name that several problems have is not enough") {
    CHECK(std::holds_alternative<Missing>(select_files(same_name[0], same_name, {{"kernel.cu", "whose?"}})));
    CHECK(text_of(select_files(same_name[1], same_name, {{"cuda-b/kernel.cu", "b"}})) == "b");
}

TEST_CASE("if one problem is assigned, the only source there is is meant") {
    const std::vector<model::Problem> one{two[0]};
    CHECK(text_of(select_files(one[0], one, {{"ada.cpp", "a"}, {"readme.h", "b"}})) == "a");
    CHECK(std::holds_alternative<Unclear>(select_files(one[0], one, {{"ada.cpp", "a"}, {"b.cpp", "b"}})));
    CHECK(std::holds_alternative<Missing>(select_files(two[0], two, {{"ada.cpp", "a"}})));
}

TEST_CASE("two candidates, a link, and half of what belongs together are unclear") {
    CHECK(std::holds_alternative<Unclear>(
        select_files(two[0], two, {{"a/first-row/row.cpp", "a"}, {"b/first-row/row.cpp", "b"}})));
    CHECK(std::holds_alternative<Unclear>(select_files(two[0], two, {{"row.cpp", "", true}})));
    const std::vector<model::Problem> pair{problem("pair", {"one.cpp", "two.cpp"})};
    CHECK(std::holds_alternative<Unclear>(select_files(pair[0], pair, {{"one.cpp", "a"}})));
    CHECK(std::holds_alternative<Missing>(select_files(pair[0], pair, {})));
}
