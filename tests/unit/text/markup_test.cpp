#include "text/markup.h"

#include <doctest/doctest.h>

TEST_CASE("what could be markup is written by its name, and what deceives is shown") {
    CHECK(text::markup("a < b && \"c\" > 'd'") == "a &lt; b &amp;&amp; &quot;c&quot; &gt; &#39;d&#39;");
    CHECK(text::markup("two\nlines") == "two\\nlines");
    CHECK(text::markup("\x1b[31m") == "\\x1b[31m");
    CHECK(text::markup("für 漢") == "für 漢");
}
