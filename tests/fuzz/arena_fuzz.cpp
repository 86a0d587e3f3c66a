// The memory that driver and worker share, from the driver's side: a session calls a worker that answers at
// will.
#include "fuzz/arena_script.h"
#include "fuzz/target.h"

#include "subject/session.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <fcntl.h>

namespace {

/// What is heard is of no interest.
struct Deaf : subject::Listener {
    void died(const char*, const subject::Death& death) override {
        fuzz::require(death.frames.size() <= subject::max_crash_frames, "the noted frames are bounded");
    }
    void not_implemented(const char*) override {}
    void out_of_memory(const char*) override {}
    void device_failed(const char*, const std::string&) override {}
    void overran(const char*, int, bool) override {}
    void changed_input(const char*, int) override {}
    void left_modes(const char*) override {}
    void wrote_kept(const char*, subject::Kept) override {}
};

class Side {
  public:
    explicit Side(bool emulated) : program_(open(ARENA_WORKER, O_RDONLY | O_CLOEXEC)) {
        subject::WorkerProgram program;
        program.fd = program_.get();
        program.emulated = emulated;
        session.bind(program, false, deaf_);
    }
    ~Side() { session.unbind(); }

    subject::Session session;

  private:
    sys::Fd program_;
    Deaf deaf_;
};

constexpr std::array<subject::CallSite, 4> sites{{
    {.function = 0, .name = "scalar", .result_bytes = 8},
    {.function = 1,
     .name = "array",
     .array = true,
     .result_bytes = 4,
     .result_kind = subject::ElementKind::float32},
    {.function = 2, .name = "object", .object = true, .result_bytes = 8},
    {.function = 3, .name = "nothing"},
}};

void call(subject::Session& session, const fuzz::Script& script, const std::byte* bytes) {
    std::array<float, 16> input{}, output{};
    const std::vector<subject::Buffer> buffers{{reinterpret_cast<std::byte*>(input.data()), sizeof input,
                                                false, subject::ElementKind::float32, 1, 4},
                                               {reinterpret_cast<std::byte*>(output.data()), sizeof output,
                                                true, subject::ElementKind::float32, 2, 4}};
    try {
        session.call(sites[script.site % sites.size()], buffers, [&](subject::Writer& message, const auto&) {
            message.put(script);
            std::copy_n(bytes, script.bytes, message.reserve(script.bytes));
        });
    } catch (const subject::CallLost&) {
    } catch (const subject::LearnerThrew&) { // any other exception ends the program
    }
    fuzz::require(std::ranges::all_of(input, [](float value) { return value == 0; }),
                  "inputs stay as they are");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static Side plain(false), emulated(true);
    fuzz::Script script;
    if (size < sizeof script) return 0;
    std::memcpy(&script, data, sizeof script);
    script.bytes = static_cast<std::uint32_t>(std::min(size - sizeof script, fuzz::max_script));
    subject::Session& session = (script.emulated != 0 ? emulated : plain).session;
    session.begin_case();
    for (int i = 0; i < 2; ++i) // the second one may be in slots
        call(session, script, reinterpret_cast<const std::byte*>(data + sizeof script));
    session.end_case();
    fuzz::require(session.take_observations().size() <= subject::max_observed_bytes + 1,
                  "observations are bounded");
    return 0;
}
