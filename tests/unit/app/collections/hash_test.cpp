#include "collections/hash.h"

#include "unit/folder.h"

#include <doctest/doctest.h>

TEST_CASE("the hash is of problems, reference and contracts, and of nothing else") {
    const test::Folder folder;
    const auto hash = [&] {
        return collections::hash_of({folder.path() / "problems",
                                     folder.path() / "exercises",
                                     folder.path() / "reference",
                                     folder.path() / "exercises",
                                     {}});
    };
    folder.write("problems/a/suite.cpp", "suite");
    folder.write("reference/a/a.cpp", "reference");
    folder.write("exercises/a/contract.h", "contract");
    std::string before = hash();
    CHECK(before.size() == 64);
    CHECK(hash() == before);
    for (const char* file : {"exercises/a/a.cpp", "problems/.git/index", "problems/a/.clangd", "README.md"}) {
        CAPTURE(file);
        folder.write(file, "else");
        CHECK(hash() == before);
    }
    for (const char* file : {"problems/a/suite.cpp", "reference/a/a.cpp", "exercises/a/contract.h",
                             "problems/b/mistakes/new.diff"}) {
        CAPTURE(file);
        folder.write(file, "changed");
        CHECK(hash() != before);
        before = hash();
    }
    std::filesystem::rename(folder.path() / "problems/b", folder.path() / "problems/c");
    CHECK(hash() != before);
}
