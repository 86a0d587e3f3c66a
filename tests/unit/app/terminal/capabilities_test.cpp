#include "terminal/capabilities.h"

#include <doctest/doctest.h>

using terminal::capabilities;
using terminal::ColourChoice;
using terminal::Surroundings;

namespace {

Surroundings on_terminal(std::map<std::string, std::string> variables = {}, int columns = 80) {
    variables.insert({"TERM", "xterm-256color"});
    return {.is_terminal = true, .columns = columns, .variables = std::move(variables)};
}

Surroundings in_pipe(std::map<std::string, std::string> variables = {}) {
    variables.insert({"TERM", "xterm-256color"});
    return {.is_terminal = false, .variables = std::move(variables)};
}

bool colour(const Surroundings& surroundings, ColourChoice choice = ColourChoice::automatic) {
    return capabilities(surroundings, choice, false).colour;
}

int width(const Surroundings& surroundings) {
    return capabilities(surroundings, ColourChoice::automatic, false).width;
}

bool unicode(const std::map<std::string, std::string>& variables) {
    return capabilities(on_terminal(variables), ColourChoice::automatic, false).unicode;
}

} // namespace

TEST_CASE("colour follows the terminal by itself") {
    CHECK(colour(on_terminal()));
    CHECK_FALSE(colour(in_pipe()));
    CHECK_FALSE(colour(on_terminal({{"TERM", "dumb"}})));
    CHECK_FALSE(colour({.is_terminal = true, .columns = 80})); // TERM is not set at all
}

TEST_CASE("NO_COLOR switches colour off unless it is empty") {
    CHECK_FALSE(colour(on_terminal({{"NO_COLOR", "1"}})));
    CHECK_FALSE(colour(on_terminal({{"NO_COLOR", "1"}, {"CLICOLOR_FORCE", "1"}})));
    CHECK(colour(on_terminal({{"NO_COLOR", ""}})));
}

TEST_CASE("CLICOLOR_FORCE switches colour on in a pipe unless it is 0") {
    CHECK(colour(in_pipe({{"CLICOLOR_FORCE", "1"}})));
    CHECK_FALSE(colour(in_pipe({{"CLICOLOR_FORCE", "0"}})));
    CHECK_FALSE(colour(in_pipe({{"CLICOLOR_FORCE", ""}})));
}

TEST_CASE("--color beats everything else") {
    CHECK(colour(in_pipe({{"NO_COLOR", "1"}, {"TERM", "dumb"}}), ColourChoice::always));
    CHECK_FALSE(colour(on_terminal({{"CLICOLOR_FORCE", "1"}}), ColourChoice::never));
}

TEST_CASE("prose is as wide as the terminal, between 40 and 100 columns") {
    CHECK(width(on_terminal({}, 80)) == 80);
    CHECK(width(on_terminal({}, 20)) == 40);
    CHECK(width(on_terminal({}, 250)) == 100);
    CHECK(capabilities(on_terminal({}, 20), ColourChoice::automatic, false).columns == 20);
    CHECK(capabilities(on_terminal({}, 250), ColourChoice::automatic, false).columns == 250);
}

TEST_CASE("COLUMNS counts where the terminal does not say, and 80 where nothing does") {
    CHECK(width(in_pipe({{"COLUMNS", "60"}})) == 60);
    CHECK(width(on_terminal({{"COLUMNS", "60"}}, 90)) == 90);
    CHECK(width(in_pipe()) == 80);
    for (const char* nonsense : {"", "wide", "60x", "-5", "0", "99999999999999999999", "20000"})
        CHECK_MESSAGE(width(in_pipe({{"COLUMNS", nonsense}})) == 80, nonsense);
}

TEST_CASE("the first locale variable that is set decides about UTF-8") {
    CHECK(unicode({{"LANG", "en_GB.UTF-8"}}));
    CHECK(unicode({{"LANG", "C.utf8"}}));
    CHECK(unicode({{"LC_ALL", ""}, {"LC_CTYPE", "de_DE.UTF-8"}, {"LANG", "C"}}));
    CHECK_FALSE(unicode({{"LC_ALL", "C"}, {"LANG", "en_GB.UTF-8"}}));
    CHECK_FALSE(unicode({{"LANG", "de_DE.ISO-8859-1"}}));
    CHECK_FALSE(unicode({}));
}

TEST_CASE("looking at a descriptor that is no terminal finds none") {
    CHECK_FALSE(terminal::surroundings(-1).is_terminal);
    CHECK(terminal::surroundings(-1).columns == 0);
}

TEST_CASE("the option or the environment asks for words instead of signs, and colours go with the signs") {
    const auto plain = [](std::map<std::string, std::string> variables, bool option) {
        return capabilities(on_terminal(std::move(variables)), ColourChoice::always, option);
    };
    CHECK_FALSE(plain({}, false).plain);
    CHECK(plain({}, false).colour);
    CHECK_FALSE(plain({{"ENGINE_PLAIN", "0"}}, false).plain);
    CHECK(plain({{"ENGINE_PLAIN", "1"}}, false).plain);
    CHECK(plain({}, true).plain);
    CHECK_FALSE(plain({}, true).colour);
}

TEST_CASE("links need a terminal with colours that is not the console of Linux") {
    const auto links = [](const Surroundings& surroundings) {
        return capabilities(surroundings, ColourChoice::automatic, false).links;
    };
    CHECK(links(on_terminal()));
    CHECK_FALSE(links(on_terminal({{"TERM", "linux"}})));
    CHECK_FALSE(links(on_terminal({{"NO_COLOR", "1"}})));
    CHECK_FALSE(links(in_pipe({{"CLICOLOR_FORCE", "1"}})));
}
