#include "app/call.h"

#include "unit/folder.h"

#include <cstdlib>
#include <doctest/doctest.h>

using app::Call;

TEST_CASE("a command begins with the word that was typed") {
    CHECK(Call("engine", "/home/ada/w", "/usr/bin")("test") == "engine test");
    CHECK(Call("./engine", "/clone", "/usr/bin")("submit-build token-lookup") ==
          "./engine submit-build token-lookup");
    CHECK(Call("../../engine", "/clone/exercises/dropout", "")() == "../../engine");
    CHECK(Call("", "/", "")("list") == "engine list"); // a caller that leaves the word out
}

TEST_CASE("a word that a shell would not read back is quoted") {
    CHECK(Call("/home/ada's/my engine", "/", "/usr/bin")("list") == "'/home/ada'\\''s/my engine' list");
}

TEST_CASE("a whole path becomes one name where PATH finds the same file") {
    const test::Folder folder;
    folder.write("bin/engine", "");
    folder.write("other/engine", "");
    const std::string bin = (folder.path() / "bin").string();
    const std::string other = (folder.path() / "other").string();
    CHECK(Call(bin + "/engine", "/", "/nowhere:" + bin + ":" + other)("test") == "engine test");
    CHECK(Call(other + "/engine", "/", bin + ":" + other)("test") == other + "/engine test");
    CHECK(Call(bin + "/engine", "/", "")("test") == bin + "/engine test");
    CHECK(Call(bin + "/engine", folder.path(), "bin")("test") ==
          bin + "/engine test"); // no folder to rely on
}

TEST_CASE("in another folder the word is one that works there") {
    const Call installed("engine", "/home/ada", "/usr/bin");
    CHECK(installed.word_in("/home/ada/w") == "engine");
    CHECK(installed.program() == "engine");
    const Call clone("../engine", "/clone/exercises", "");
    CHECK(clone.word_in("/clone") == "./engine");
    CHECK(clone.word_in("/home/ada/w") == "/clone/engine");
    CHECK(clone.program() == "/clone/engine");
}

TEST_CASE("the script of a clone tells its own word, and is believed only where it says one") {
    unsetenv("ENGINE_CALLED_AS");
    CHECK(app::typed_word("build/release/app/engine") == "build/release/app/engine");
    setenv("ENGINE_CALLED_AS", "./engine", 1);
    CHECK(app::typed_word("build/release/app/engine") == "./engine");
    setenv("ENGINE_CALLED_AS", "", 1);
    CHECK(app::typed_word("engine") == "engine");
    unsetenv("ENGINE_CALLED_AS");
}
