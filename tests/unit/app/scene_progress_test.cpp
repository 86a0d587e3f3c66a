#include "app/scene_progress.h"

#include <doctest/doctest.h>

using app::scene_progress;

TEST_CASE("a scene's progress is its latest whole line") {
    CHECK(scene_progress("\n@ title a\n\n@ progress 0 loss 4.39\n\n@ progress 50 loss 2.5\n@ fig", true) ==
          "██████████░░░░░░░░░░  50 % loss 2.5");
    CHECK(scene_progress("\n@ progress 1 a\n\n@ progress 99", true) == "█░░░░░░░░░░░░░░░░░░░   1 % a");
    CHECK(scene_progress("\n@ progress 100\n", false) == "#################### 100 %");
}

TEST_CASE("what is no progress line gives none") {
    for (const char* output : {"", "\n@ progress 50 half a line", "\n@ progress lots of it\n",
                               "\n@ progress -1 below\n", "\n@ progress 101 above\n",
                               "\n@ progress 99999999999 far above\n", "@ progress 5 in the first line\n"}) {
        CAPTURE(output);
        CHECK(scene_progress(output, true).empty());
    }
}
