// What a scene prints, drawn in every format.
#include "fuzz/target.h"

#include "picture/formats.h"
#include "picture/scene.h"
#include "text/utf8.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const picture::Picture picture = picture::read_scene(fuzz::text_of(data, size));
    for (const picture::Format& format : picture::formats()) {
        const std::string rendered = format.render(picture);
        fuzz::require(!text::first_ill_formed(rendered), "a picture is UTF-8");
        if (format.name != "text")
            fuzz::require(rendered.find("<script>alert") == std::string::npos,
                          "nothing of a scene is markup");
    }
    return 0;
}
