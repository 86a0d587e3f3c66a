#include "harness/suite.h"

#include "harness/recorder.h"

namespace harness {

Random random() {
    return named_stream(seed(), Recorder::current().case_name());
}

Random constructed() {
    return named_stream(0, Recorder::current().case_name());
}

std::uint64_t seed() {
    return Recorder::current().seed();
}

void minimum_traffic(std::uint64_t bytes) {
    Recorder::current().add_minimum_traffic(bytes);
}

} // namespace harness
