#include "app/asking/answers_file.h"

#include "model/errors.h"
#include "unit/folder.h"
#include "unit/questions/examples.h"

#include <doctest/doctest.h>

#include <fstream>

namespace {

const std::string head = R"("schema": "engine.answers/1", "problem": "token-lookup", "seed": 7, )";

std::map<std::string, model::Answer> read(const std::string& text, std::uint64_t seed = 7) {
    const test::Folder folder;
    const auto file = folder.path() / "answers.json";
    std::ofstream(file) << text;
    const auto questions = examples::all();
    return asking::read_answers(file, {"token-lookup", seed, questions});
}

std::string message_of(const std::string& text) {
    try {
        read(text);
        return {};
    } catch (const model::UsageError& error) {
        return error.what();
    }
}

std::string with(const std::string& answers) {
    return "{" + head + "\"answers\": " + answers + "}";
}

bool says(const std::string& text, const std::string& words) {
    const std::string message = message_of(text);
    CAPTURE(message);
    return message.find(words) != std::string::npos && message.find("answers.json: ") != std::string::npos;
}

} // namespace

TEST_CASE("answers of every kind are read") {
    const auto answers = read(with(R"({"fourth-row": "twelve", "which-rows": ["nine", "twelve"],
        "steps": ["check", "find", "copy"], "names": {"v": "rows", "c": "columns", "t": "tokens"}, "offset": 17,
        "bytes-read": "12 KiB", "predict": "7 8 9\n7 8 9", "why-copy": {"text": "so", "met": [2]}})"));
    CHECK(answers.size() == 8);
    CHECK(answers.at("which-rows").text == "nine twelve");
    CHECK(answers.at("names").text.find("v=rows") != std::string::npos);
    CHECK(answers.at("offset").text == "17");
    CHECK(answers.at("why-copy").met == std::vector<std::size_t>{2});
    CHECK(read(with("{}")).empty());
    CHECK(read(R"({"schema": "engine.answers/1", "problem": "token-lookup", "seed": "18446744073709551615",
        "answers": {}})",
               18446744073709551615U)
              .empty());
}

TEST_CASE("another problem's and another seed's answers are refused with the place") {
    CHECK(says(R"({"schema": "engine.answers/1", "problem": "dropout", "seed": 7, "answers": {}})",
               "/problem must be"));
    CHECK(says(R"({"schema": "engine.answers/1", "problem": "token-lookup", "seed": 8, "answers": {}})",
               "/seed must be 7"));
    CHECK(says(with(R"({"fourth-roe": "twelve"})"),
               "/answers/fourth-roe is not a question of token-lookup; did you mean "
               "fourth-row?"));
}

TEST_CASE("a wrong shape is refused with the place") {
    for (const char* text : {"[]", "7", "null"})
        CHECK(says(text, "must be an object"));
    CHECK(says("{", "line 1"));
    CHECK(says("", "line 1"));
    CHECK(says("{" + head + "\"answers\": []}", "/answers must be an object"));
    CHECK(says("{" + head + "\"answers\": {}, \"a/b\": 1}", "/a~1b is not known"));
    CHECK(says(R"({"schema": "engine.answers/2", "problem": "token-lookup", "seed": 7, "answers": {}})",
               "/schema"));
    CHECK(says(R"({"schema": "engine.answers/1", "problem": "token-lookup", "answers": {}})", "no \"seed\""));
    CHECK(says(with(R"({"offset": null})"), "/answers/offset must be a number"));
    CHECK(says(with(R"({"fourth-row": 1})"), "/answers/fourth-row must be the id"));
    CHECK(says(with(R"({"which-rows": [1]})"), "/answers/which-rows/0 must be the id"));
    CHECK(says(with(R"({"why-copy": {"met": ["x"]}})"), "/answers/why-copy/met"));
    CHECK(says(with(R"({"offset": 1, "offset": 2})"), "twice"));
}

TEST_CASE("an answer that is none is refused with the place, and not repeated") {
    CHECK(says(with(R"({"offset": "1e999"})"), "/answers/offset is not an answer"));
    CHECK(says(with(R"({"offset": 1e999})"), "1e999"));
    CHECK(says(with(R"({"offset": "NaN"})"),
               "/answers/offset is not an answer: That could not be read as a number"));
    CHECK(says(with(R"({"offset": ""})"), "empty"));
    CHECK(says(with(R"({"fourth-row": "a"})"), "names no option"));
    CHECK(says(with("{\"why-copy\": \"" + std::string(100'000, 'x') + "\"}"), "too long"));
    CHECK(says(with("{\"why-copy\": \"" + std::string(2'000'000, 'x') + "\"}"), ""));
}

TEST_CASE("a file that is not there is a wrong usage") {
    const auto questions = examples::all();
    CHECK_THROWS_AS(asking::read_answers("/nowhere/answers.json", {"p", 1, questions}), model::UsageError);
}
