// A line of a driver, which has the words of a worker in it.
#include "fuzz/target.h"

#include "events/event.h"

#include <stdexcept>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::string written;
    try {
        written = events::write_event(events::read_event(fuzz::text_of(data, size)));
    } catch (const std::runtime_error&) { // the line is no event; any other exception ends the program
        return 0;
    }
    fuzz::require(events::write_event(events::read_event(written)) == written,
                  "what is written is read as it was");
    return 0;
}
