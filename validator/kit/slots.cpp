#include "kit/slots.h"

#include "model/errors.h"

#include <algorithm>
#include <chrono>
#include <poll.h>
#include <thread>

namespace kit {

Slots::Slots() : free_(std::max(2U, std::thread::hardware_concurrency())) {}

Slots::Taken::Taken(Slots& slots, int cancel_fd) : slots_(slots) {
    constexpr std::chrono::milliseconds look_interval{20};
    while (!slots_.free_.try_acquire_for(look_interval)) {
        pollfd cancelled{cancel_fd, POLLIN, 0};
        if (poll(&cancelled, 1, 0) > 0) throw model::Interrupted{};
    }
}

Slots::Taken::~Taken() {
    slots_.free_.release();
}

} // namespace kit
