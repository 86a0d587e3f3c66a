// The list in an export of Gradescope.
#include "fuzz/target.h"

#include "intake/gradescope.h"
#include "model/errors.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    try {
        for (const intake::ExportedSubmission& one :
             intake::read_gradescope_metadata("m.yml", std::string(fuzz::text_of(data, size))))
            for (const std::vector<std::string>& who : one.submitters)
                fuzz::require(!who.empty() && !who.front().empty(), "a submitter has a name");
    } catch (const model::ContentError&) { // any other exception ends the program
    }
    return 0;
}
