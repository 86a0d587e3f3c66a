#include "kit/slots.h"

#include "model/errors.h"
#include "system/cancellation.h"

#include <atomic>
#include <deque>
#include <doctest/doctest.h>
#include <thread>

TEST_CASE("a slot that was given back is there for the next, and a wait for one can be ended") {
    kit::Slots slots;
    sys::Cancellation cancellation(-1);
    std::deque<kit::Slots::Taken> all;
    const unsigned count = std::max(2U, std::thread::hardware_concurrency());
    for (unsigned i = 0; i < count; ++i)
        all.emplace_back(slots, cancellation.fd());

    std::atomic<bool> got = false;
    std::thread next([&] {
        const kit::Slots::Taken taken(slots, cancellation.fd());
        got = true;
    });
    CHECK_FALSE(got);
    all.pop_back();
    next.join();
    CHECK(got);

    all.emplace_back(slots, cancellation.fd());
    cancellation.cancel();
    CHECK_THROWS_AS(kit::Slots::Taken(slots, cancellation.fd()), model::Interrupted);
}
