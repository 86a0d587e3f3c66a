// Regions that end at a page that the worker cannot use, in every second call of a test case.
#include "subject/slots.h"

#include "bound.h"
#include "proxies.h"
#include "subject/kept.h"

#include <array>
#include <csignal>
#include <doctest/doctest.h>

using namespace subject;
using Lines = std::vector<std::string>;

namespace {

struct Setup {
    Arena arena{calls_begin + (1 << 20)};
    alignas(16) std::array<std::byte, 1024> memory{};

    Buffer buffer(std::size_t at, std::size_t bytes, int argument, bool writable = false,
                  std::size_t alignment = 4) {
        return {memory.data() + at, bytes, writable, ElementKind::bytes, argument, alignment};
    }
    std::vector<PlacedRegion> place(const std::vector<Buffer>& buffers) {
        return subject::place(buffers, calls_begin, arena, Placing::inputs_apart, true);
    }
};

/// Makes the next call of the case one that has its regions in slots.
struct InSlots : Bound {
    using Bound::Bound;
    void go_on_to_slots() {
        while (!is_in_slots(session().transcript().observations().size()))
            add(1, std::int64_t{1});
    }
    std::array<float, 5> in{1, 2, 3, 4, 5}, out{};
};

} // namespace

TEST_CASE("of each two calls one has its regions in slots, and not always the same one") {
    bool first = false, second = false;
    for (std::size_t call = 0; call < 16; call += 2) {
        CHECK(is_in_slots(call) != is_in_slots(call + 1));
        (is_in_slots(call) ? first : second) = true;
    }
    CHECK((first && second));
}

TEST_CASE_FIXTURE(Setup, "a region in a slot ends where a page begins that no other region has") {
    const auto regions = place({buffer(0, 20, 1), buffer(64, 40, 2), buffer(128, 0, 3)});
    REQUIRE(regions.size() == 3);
    for (std::size_t i = 0; i < regions.size(); ++i) {
        CHECK(in_slot(regions[i].offset));
        CHECK(regions[i].offset + regions[i].bytes == guard_of(i));
        CHECK(guard_of(i) % page == 0);
        CHECK(guard_of(i) + page <= (i + 1 < slot_count ? guard_of(i + 1) - slot_bytes : calls_begin));
    }
    CHECK(end_of(regions, calls_begin) == calls_begin);
}

TEST_CASE_FIXTURE(Setup, "inputs have the first slots, and are what is kept") {
    const auto regions = place({buffer(0, 20, 1, true), buffer(64, 40, 2), buffer(128, 8, 3)});
    CHECK(regions[0].argument == 2);
    CHECK(regions[2].argument == 1);
    const KeptPages inputs = kept_pages(Kept::inputs, {}, regions, calls_begin);
    CHECK(inputs.first == guard_of(0) - slot_bytes);
    CHECK(inputs.bytes == slot_bytes); // and not the page after it, which would become accessible
    CHECK(inputs.first + inputs.step == guard_of(1) - slot_bytes);
    CHECK(inputs.count == 2);
    CHECK(kept_pages(Kept::arguments, {}, regions, calls_begin).count == 3);
    CHECK(kept_pages(Kept::nothing, {}, regions, calls_begin).count == 0);
}

TEST_CASE_FIXTURE(Setup, "elements in slots are aligned as they were, or else the call is placed as usual") {
    const auto misaligned = [&](std::size_t at, std::size_t bytes, std::size_t alignment) {
        return place({buffer(at, bytes, 1, false, alignment)})[0].offset;
    };
    CHECK(in_slot(misaligned(0, 24, 8)));
    CHECK(in_slot(misaligned(4, 20, 4)));
    CHECK_FALSE(in_slot(misaligned(0, 20, 8)));
    CHECK_FALSE(in_slot(misaligned(4, 24, 8)));
    CHECK(in_slot(misaligned(3, 7, 1)));
}

TEST_CASE_FIXTURE(Setup, "a call whose regions do not all fit into slots is placed as usual") {
    std::vector<std::byte> large(slot_bytes - canary_bytes + 1);
    const Buffer fits{large.data(), large.size() - 1, false, ElementKind::bytes, 2, 1};
    const Buffer does_not{large.data(), large.size(), false, ElementKind::bytes, 2, 1};
    CHECK(in_slot(place({buffer(0, 20, 1), fits})[0].offset));
    for (const PlacedRegion& region : place({buffer(0, 20, 1), does_not}))
        CHECK_FALSE(in_slot(region.offset));

    std::vector<Buffer> many;
    for (std::size_t i = 0; i <= slot_count; ++i)
        many.push_back(buffer(8 * i, 4, static_cast<int>(i + 1)));
    CHECK_FALSE(in_slot(place(many)[0].offset));
    many.pop_back();
    CHECK(in_slot(place(many)[0].offset));

    const Buffer shared{arena.base() + calls_begin + 4096, 20, false, ElementKind::bytes, 2, 4};
    CHECK_FALSE(in_slot(place({buffer(0, 20, 1), shared})[0].offset));
}

TEST_CASE_FIXTURE(Setup, "a place in the page after a slot belongs to the argument that reaches its end") {
    const auto regions = place({buffer(0, 100, 1), buffer(64, 100, 2), buffer(512, 8, 3, true)});
    REQUIRE(regions.size() == 2); // the first two overlap
    CHECK(argument_before(regions, guard_of(0)) == 2);
    CHECK(argument_before(regions, guard_of(1) + page - 1) == 3);
    CHECK(argument_before(regions, guard_of(0) - 1) == 0);
    CHECK(argument_before(regions, guard_of(0) + page) == 0);
    CHECK(argument_before(regions, guard_of(2)) == 0); // of a slot that holds nothing
    CHECK(argument_before(regions, 0) == 0);
    const auto usual = subject::place({buffer(0, 100, 1)}, calls_begin, arena);
    CHECK(argument_before(usual, usual[0].offset + 100) == 0);
}

TEST_CASE_FIXTURE(InSlots, "a read past the end of an input ends the call, and names the argument") {
    go_on_to_slots();
    CHECK_THROWS_AS(copy_past_both(in, out), CallLost);
    CHECK(listener.death.fate == Fate::signalled);
    CHECK(listener.death.code == SIGSEGV);
    CHECK(listener.death.argument == 1);
    CHECK(listener.death.access == model::Access::read);
    CHECK_FALSE(listener.death.frames.empty());
}

TEST_CASE_FIXTURE(InSlots, "a write past the end of an output likewise; other calls have canaries") {
    write_at(out, 5, 1);
    CHECK(listener.heard == Lines{"after 1"});
    listener.heard.clear();
    go_on_to_slots();
    write_at(out, -1, 1);
    CHECK(listener.heard == Lines{"before 1"}); // in slots as well
    go_on_to_slots();
    CHECK_THROWS_AS(write_at(out, 5, 1), CallLost);
    CHECK(listener.death.argument == 1);
    CHECK(listener.death.access == model::Access::write);
}

TEST_CASE_FIXTURE(InSlots, "a crash elsewhere is past the end of no argument") {
    go_on_to_slots();
    CHECK_THROWS_AS(use_null(), CallLost);
    CHECK(listener.death.argument == 0);
}

TEST_CASE_FIXTURE(InSlots, "in slots, what a call has to keep is kept, and what it may write is written") {
    go_on_to_slots();
    session().keep(Kept::inputs);
    write_into_input(in, 0, 7);
    CHECK(listener.heard == Lines{"changed 1", "kept write_into_input"});
    listener.heard.clear();
    go_on_to_slots();
    borrow(in, true);
    CHECK(listener.heard == Lines{"kept borrow"});
    listener.heard.clear();
    go_on_to_slots();
    touch(out, 0, out.size());
    CHECK(listener.heard.empty());
    go_on_to_slots();
    CHECK_THROWS_AS(copy_past_both(in, out), CallLost); // the page after a kept slot stays inaccessible
    CHECK(listener.death.argument == 1);
}

TEST_CASE_FIXTURE(InSlots, "calls aside are placed like the calls of the case that they repeat") {
    add(1, std::int64_t{1});
    const auto strays = [&](std::size_t as_from) {
        listener.heard.clear();
        try {
            session().aside(as_from, [&] { write_at(out, 5, 1); });
        } catch (const CallLost&) {
        }
        return listener.heard;
    };
    CHECK(strays(0) == Lines{"after 1"});
    CHECK(strays(1) == Lines{"died write_at"});
}
