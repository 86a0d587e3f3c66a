#include "build/worker_key.h"

#include "build/digest.h"
#include "build/file.h"
#include "build/plan.h"
#include "model/errors.h"

namespace build {

std::string worker_key(const Workshop& workshop, const model::Problem& problem, const CallTable* table,
                       const model::Submission& submission, Variant variant) {
    const Layout& layout = workshop.layout();
    const Main main = table == nullptr ? Main::learner : Main::shim;
    const Plan plan = make_plan(
        problem, workshop.toolchain(), layout, variant,
        Place{.gpu_code = table == nullptr ? "" : table->gpu_code, .headers = !submission.headers.empty()},
        main);
    Digest key;
    key.add("engine.worker/2")
        .add(layout.version)
        .add(workshop.toolchain().identity)
        .add(table == nullptr ? "" : table->key);
    for (const Plan::Translation& translation : plan.translations)
        for (const std::string& argument : translation.arguments)
            key.add(argument);
    for (const std::string& argument : plan.link)
        key.add(argument);
    for (const model::SourceFile& file : submission.files)
        key.add(file.name).add(file.text);
    for (const model::SourceFile& file : submission.headers)
        key.add(file.name).add(file.text);
    add_headers(key, problem.exercise);
    add_headers(key, layout.exercises / "common");
    if (is_emulated(variant)) add_headers(key, layout.emulator);
    for (const std::filesystem::path& file : worker_objects(layout, variant, main)) {
        const auto object = read_file(file);
        if (!object) // the linker would miss it too, and the learner would seem to be at fault
            throw model::EnvironmentError("cannot read " + file.string() +
                                          ", which every submission is linked with; build or install the "
                                          "engine again");
        key.add(*object);
    }
    if (is_for_gpu(variant)) key.add(stamp(workshop.toolchain().cudart));
    for (const char* name : {"light.h", "full.h", "cuda.h", guard_header})
        key.add(read_if_there(layout.preludes / name));
    return key.hex();
}

} // namespace build
