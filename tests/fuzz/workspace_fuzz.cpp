// The engine's record in a learner's workspace, which may have come with an archive.
#include "fuzz/target.h"

#include "app/workspace/record.h"
#include "model/errors.h"
#include "unit/folder.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const test::Folder folder;
    folder.write(".engine/workspace.json", std::string(fuzz::text_of(data, size)));
    try {
        if (const auto record = workspace::read_record(folder.path()))
            fuzz::require(record->version <= workspace::version, "a newer one is refused");
    } catch (const model::EnvironmentError&) { // any other exception ends the program
    }
    return 0;
}
