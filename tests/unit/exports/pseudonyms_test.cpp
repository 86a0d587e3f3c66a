#include "exports/pseudonyms.h"

#include "model/errors.h"

#include <doctest/doctest.h>

using exports::Pseudonyms;
using exports::read_pseudonyms;
using exports::write_pseudonyms;

namespace {

gradebook::Book book_of(std::vector<std::string> ids) {
    gradebook::Book book;
    for (const std::string& id : ids) {
        book.students.push_back({{id, "Name of " + id, id + "@x.org", "A"}, true});
        book.attempts.push_back({1, id, id + ".zip", {}, "", {}, {}});
        book.changes.push_back({id, "p", 50, "prof", "why", ""});
    }
    return book;
}

} // namespace

TEST_CASE("what was written is read back, formulas included") {
    const Pseudonyms pseudonyms{{"ada", "p-1"}, {"=bob", "p-2"}, {"c,d", "p-3"}};
    CHECK(read_pseudonyms({"f", write_pseudonyms(pseudonyms)}) == pseudonyms);
}

TEST_CASE("two students never share a pseudonym, and one that is there stays") {
    Pseudonyms pseudonyms{{"ada", "p-1"}};
    int asked = 0;
    exports::complete(pseudonyms, book_of({"ada", "bob", "carl"}),
                      [&] { return "p-" + std::to_string(++asked / 2 + 1); });
    CHECK(pseudonyms.at("ada") == "p-1");
    CHECK(pseudonyms.at("bob") == "p-2");
    CHECK(pseudonyms.at("carl") == "p-3");
}

TEST_CASE("nothing of a student but the pseudonym is left in a book") {
    const gradebook::Book book =
        exports::pseudonymous(book_of({"ada", "bob"}), {{"ada", "p-9"}, {"bob", "p-1"}});
    CHECK(book.students[0].id == "p-1"); // by pseudonym: the order of ids would tell
    for (const auto& student : book.students)
        CHECK((student.name + student.email + student.section).empty());
    CHECK(book.attempts[0].student == "p-9");
    CHECK(book.attempts[0].source.empty());
    CHECK(book.changes[1].student == "p-1");
}

TEST_CASE("a file of another kind is refused with its line") {
    for (const char* text : {"", "id,name\n", "id,pseudonym\nada\n", "id,pseudonym\nada,\n",
                             "id,pseudonym\na,x\na,y\n", "id,pseudonym\na,x\nb,x\n"})
        CHECK_THROWS_AS(read_pseudonyms({"f", text}), model::ContentError);
    CHECK_THROWS_WITH_AS(read_pseudonyms({"f", "id,pseudonym\na,x\nb,x\n"}),
                         "cannot read f: line 3: the pseudonym x is another student's", model::ContentError);
}
