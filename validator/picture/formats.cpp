#include "picture/formats.h"

#include "picture/page.h"
#include "picture/svg.h"

namespace picture {

const std::vector<Format>& formats() {
    static const std::vector<Format> all{
        {"text", "for a terminal: block elements, 80 columns",
         [](const Picture& picture) { return render_text(picture, {}); }},
        {"html", "one page that needs nothing but itself", render_html},
        {"svg", "all charts in one image", render_svg},
    };
    return all;
}

} // namespace picture
