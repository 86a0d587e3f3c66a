#include "app/asking/session.h"

#include "questions/standing.h"
#include "unit/questions/examples.h"

#include <doctest/doctest.h>

using asking::Key;
using asking::Session;
using model::Standing;
using Kind = asking::Key::Kind;

namespace {

struct Kept {
    std::string question;
    std::string text;
    std::vector<std::size_t> met;
    Standing standing;
};

/// A session about these questions, and what it kept and showed.
struct Scene {
    explicit Scene(std::vector<model::Question> questions, model::Justification before = {},
                   bool plain = false)
        : session(questions, ::questions::justification(questions, before), {false, 80, true, plain},
                  [this](const model::Question& question, const model::Answer& answer, Standing standing) {
                      kept.push_back({question.id, answer.text, answer.met, standing});
                  }),
          screen(session.begin()) {}

    Scene& press(Kind kind) {
        screen = session.press({kind});
        return *this;
    }
    Scene& type(const std::string& text) {
        for (const char letter : text)
            session.press({Kind::text, std::string(1, letter)});
        return press(Kind::enter);
    }
    bool shows(const std::string& text) const { return screen.find(text) != std::string::npos; }

    std::vector<Kept> kept;
    Session session;
    std::string screen;
};

} // namespace

TEST_CASE("a right answer is kept at once, explained, and Enter goes on") {
    Scene scene({examples::choice(), examples::number()});
    CHECK(scene.shows("Question 1 of 2"));
    CHECK(scene.shows("Ctrl-D leaves"));
    CHECK(scene.type("a").shows("Right."));
    CHECK(scene.shows("Three rows of four"));
    CHECK(scene.shows("r * stride"));
    REQUIRE(scene.kept.size() == 1);
    CHECK(scene.kept[0].text == "twelve");
    CHECK(scene.kept[0].standing == Standing::right);
    CHECK(scene.press(Kind::enter).shows("Question 2 of 2"));
    CHECK_FALSE(scene.shows("Ctrl-D leaves")); // said once
    scene.type("17").press(Kind::enter);
    CHECK(scene.session.over());
    CHECK(scene.session.standing().complete());
}

TEST_CASE("a wrong answer says what it comes from, and the second one explains") {
    Scene scene({examples::choice()});
    CHECK(scene.type("b").shows("That is the start of"));
    CHECK(scene.shows("Not right."));
    CHECK_FALSE(scene.shows("r * stride"));
    CHECK(scene.type("c").shows("r * stride"));
    CHECK_FALSE(scene.session.over());
    scene.type("a");
    CHECK(scene.kept.size() == 3);
    CHECK(scene.session.standing().questions[0].tries == 3);
    CHECK(scene.session.standing().complete());
}

TEST_CASE("what is no answer counts as none and is asked again") {
    Scene scene({examples::choice(), examples::number()});
    CHECK(scene.type("z").shows("one letter"));
    CHECK(scene.type("").shows("empty"));
    scene.press(Kind::next);
    CHECK(scene.type("1e999").shows("beyond"));
    CHECK(scene.type("NaN").shows("could not be read as a number"));
    CHECK(scene.type("12,5").shows("1,234.5"));
    CHECK(scene.kept.empty());
    CHECK(scene.session.standing().questions[1].tries == 0);
}

TEST_CASE("the arrow keys change the letter") {
    Scene scene({examples::choice()});
    CHECK(scene.press(Kind::down).screen == "\r\x1b[KAnswer: a");
    CHECK(scene.press(Kind::down).screen == "\r\x1b[KAnswer: b");
    CHECK(scene.press(Kind::up).press(Kind::up).screen == "\r\x1b[KAnswer: d");
    CHECK(scene.press(Kind::enter).shows("Not right"));
}

TEST_CASE("questions are skipped and gone back to") {
    Scene scene({examples::choice(), examples::number(), examples::output()});
    CHECK(scene.press(Kind::next).shows("Question 2 of 3"));
    CHECK(scene.press(Kind::back).shows("Question 1 of 3"));
    CHECK(scene.press(Kind::back).shows("Question 1 of 3"));
    scene.press(Kind::next).press(Kind::next).press(Kind::next);
    CHECK(scene.session.over());
    CHECK_FALSE(scene.session.standing().complete());
}

TEST_CASE("a session goes on with what is open or wrong") {
    const model::Justification before{4,
                                      {{"fourth-row", Standing::right, 1}, {"offset", Standing::wrong, 1}}};
    Scene scene({examples::choice(), examples::number(), examples::output()}, before);
    CHECK(scene.shows("Question 2 of 3"));
    scene.type("17").press(Kind::enter);
    CHECK(scene.shows("Question 3 of 3"));
    CHECK(scene.session.standing().attempt == 4);
    CHECK(scene.session.standing().questions[1].tries == 2);
}

TEST_CASE("leaving and Ctrl-C end it, and what was kept stays") {
    for (const Kind kind : {Kind::leave, Kind::interrupt}) {
        Scene scene({examples::choice(), examples::number()});
        scene.type("a").press(kind);
        CHECK(scene.session.over());
        CHECK(scene.kept.size() == 1);
        CHECK(scene.press(Kind::enter).screen.empty());
    }
}

TEST_CASE("a text is compared by the learner, and only then kept") {
    Scene scene({examples::text()});
    CHECK_FALSE(scene.shows("later stages"));
    CHECK(scene.type("nonsense").shows("1. later stages change the output"));
    CHECK(scene.shows("Later stages modify"));
    CHECK(scene.kept.empty());
    CHECK(scene.type("3").shows("Numbers from 1 to 2"));
    CHECK(scene.type("2, 1").shows("Kept."));
    REQUIRE(scene.kept.size() == 1);
    CHECK(scene.kept[0].text == "nonsense");
    CHECK(scene.kept[0].met == std::vector<std::size_t>{2, 1});
    CHECK(scene.kept[0].standing == Standing::written);
}

TEST_CASE("an output of several lines is typed with Ctrl-J or pasted") {
    Scene scene({examples::output()});
    for (const char letter : std::string("7 8 9"))
        scene.session.press({Kind::text, std::string(1, letter)});
    scene.press(Kind::line);
    CHECK(scene.type("7 8 9").shows("Right."));
    Scene pasted({examples::output()});
    pasted.session.press({Kind::text, "7 8 9\r7 8 9"});
    CHECK(pasted.press(Kind::enter).shows("Right."));
}

TEST_CASE("a long answer shows its end on one line, and an endless one is cut") {
    Scene scene({examples::text()});
    std::string half;
    while (half.size() < 5'000)
        half += "ä";
    scene.session.press({Kind::text, half});
    scene.session.press({Kind::text, half}); // beyond 8 KiB: dropped
    const std::string line = scene.press(Kind::backspace).screen;
    CHECK(line.size() < 200);
    CHECK(line.find("…") != std::string::npos);
    CHECK(scene.press(Kind::clear).screen == "\r\x1b[KAnswer: ");
}

TEST_CASE("for a screen reader nothing is drawn twice, and signs are words") {
    Scene scene({examples::choice(), examples::number()}, {}, true);
    CHECK(scene.shows("Enter answers. Tab skips."));
    CHECK_FALSE(scene.shows("·"));
    CHECK(scene.screen.ends_with("\nAnswer: "));
    std::string all = scene.screen;
    CHECK(scene.session.press({Kind::text, "b"}) == "b");
    CHECK(scene.session.press({Kind::text, "é"}) == "é");
    CHECK(scene.session.press({Kind::backspace}) == "\b \b");
    CHECK(scene.session.press({Kind::backspace}) == "\b \b");
    CHECK(scene.session.press({Kind::backspace}).empty());
    CHECK(scene.press(Kind::down).screen == "\nAnswer: a"); // an arrow key tells the new letter
    all += scene.press(Kind::enter).screen;
    CHECK(scene.shows("Right."));
    all += scene.press(Kind::enter).screen;
    all += scene.type("17").screen;
    CHECK(all.find('\x1b') == std::string::npos);
    CHECK(all.find('\r') == std::string::npos);

    Scene drawn({examples::choice()}); // the control
    CHECK(drawn.shows("·"));
    CHECK(drawn.session.press({Kind::text, "b"}).find("\x1b[K") != std::string::npos);
}

TEST_CASE("nothing typed moves the cursor") {
    Scene scene({examples::number()});
    scene.session.press({Kind::text, "\x1b]0;owned\x07"});
    CHECK(scene.press(Kind::up).screen.find("\x1b]") == std::string::npos);
}
