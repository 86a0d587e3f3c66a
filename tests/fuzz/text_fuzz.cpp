// What a learner's program printed, made safe for terminals and reports.
#include "fuzz/target.h"

#include "report/escape.h"
#include "text/screen.h"
#include "text/utf8.h"
#include "text/width.h"
#include "text/wrap.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view raw = fuzz::text_of(data, size);
    for (const auto charset : {text::Charset::unicode, text::Charset::ascii}) {
        const std::string shown = text::printable(raw, charset);
        fuzz::require(!text::first_ill_formed(shown), "what is shown is UTF-8");
        fuzz::require(shown.find_first_of("\x1b\r\t\x7f\b") == std::string::npos,
                      "what is shown does nothing else");
        fuzz::require(text::printable(shown, charset) == shown, "what is clean stays as it is");
        text::wrap({{shown, 0}}, 20, text::Blanks::keep);
    }
    const std::string_view kept = raw.substr(0, text::bytes_within(raw, 10));
    fuzz::require(text::columns(kept) <= 10, "what fits, fits");
    const std::string xml = report::xml(raw, report::limit::message, report::Lines::keep);
    fuzz::require(xml.find_first_of("<>\"\x1b") == std::string::npos, "nothing of a text is XML's");
    fuzz::require(report::html(raw, 1000).find_first_of("<>\"\n") == std::string::npos,
                  "nothing of a text is HTML's");
    const std::string data_line = report::command_data(raw, 1000);
    fuzz::require(data_line.find_first_of("\r\n") == std::string::npos,
                  "a command of a workflow is one line");
    report::markdown(raw, 1000);
    report::markdown_block(raw, 1000);
    report::command_property(raw, 1000);
    report::command_quote(raw, 1000);
    text::Screen screen;
    screen.passed(raw);
    screen.ending();
    return 0;
}
