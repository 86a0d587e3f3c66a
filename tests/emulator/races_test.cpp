// What is known of a word must not depend on how it is kept: as one access, in a cell, or, once a launch has
// more kinds of accesses than there are entries, in a cell from the start.
#include "runtime/races.h"

#include <doctest/doctest.h>

namespace {

using namespace cuda_emulator;
using emulator::AccessKind;

constexpr RaceDetector::Capacity roomy{}, narrow{2, 6};

struct Memory {
    ShadowStore store;
    RaceDetector races;
    Region region{store, 0x1000, 64, false};
    std::array<Instruction, 8> instructions;

    explicit Memory(RaceDetector::Capacity capacity) : races(store, capacity) {
        for (std::uint32_t i = 0; i < instructions.size(); ++i)
            instructions[i].number = i;
        begin_launch();
    }
    void begin_launch() {
        races.launch_begins();
        races.block_begins(0);
    }

    struct Seen {
        std::uint32_t fresh = 0;
        std::optional<Conflict> conflict;
    };
    Seen access(std::uint32_t thread, AccessKind kind, std::uint32_t instruction, std::uint32_t mask = 0xf,
                bool other_blocks = true) {
        Seen seen;
        Word& word = region.word(0x1000);
        const WordAccess what{thread, mask, kind, &instructions[instruction]};
        if (!races.note(word, what, other_blocks, seen.fresh))
            seen.fresh = races.note_contended(word, what, other_blocks, seen.conflict);
        return seen;
    }
};

} // namespace

TEST_CASE("a write after another thread's read names the reader, however little room there is") {
    for (const auto capacity : {roomy, narrow}) {
        Memory memory(capacity);
        for (std::uint32_t i = 0; i < 6; ++i)
            CHECK_FALSE(memory.access(7, AccessKind::load, i).conflict);
        const auto seen = memory.access(40, AccessKind::store, 6);
        REQUIRE(seen.conflict);
        CHECK(seen.conflict->thread == 7);
        CHECK(seen.conflict->instruction == 5);
        CHECK_FALSE(seen.conflict->between_blocks);
    }
}

TEST_CASE("reads, a barrier and other bytes are no conflict, however little room there is") {
    for (const auto capacity : {roomy, narrow}) {
        Memory memory(capacity);
        for (std::uint32_t i = 0; i < 6; ++i)
            CHECK_FALSE(memory.access(i, AccessKind::load, i).conflict);
        memory.races.barrier();
        CHECK_FALSE(memory.access(1, AccessKind::store, 6, 0x3).conflict);
        CHECK_FALSE(memory.access(2, AccessKind::store, 6, 0xc).conflict);
    }
}

TEST_CASE("another block's write is a conflict unless the word is shared memory") {
    for (const auto capacity : {roomy, narrow}) {
        Memory memory(capacity);
        for (std::uint32_t i = 0; i < 4; ++i)
            memory.access(0, AccessKind::store, i);
        memory.races.block_begins(1);
        const auto seen = memory.access(0, AccessKind::store, 4);
        REQUIRE(seen.conflict);
        CHECK(seen.conflict->between_blocks);
        CHECK(seen.conflict->block == 0);

        Memory shared(capacity);
        shared.access(0, AccessKind::store, 0, 0xf, false);
        shared.access(1, AccessKind::store, 1, 0xf, false);
        shared.races.block_begins(1);
        CHECK_FALSE(shared.access(0, AccessKind::store, 2, 0xf, false).conflict);
    }
}

TEST_CASE("each launch begins with words that nobody has touched") {
    for (const auto capacity : {roomy, narrow}) {
        Memory memory(capacity);
        for (std::uint32_t launch = 0; launch < 12; ++launch) {
            CHECK(memory.access(launch, AccessKind::store, 0, 0x3).fresh == 2);
            CHECK(memory.access(launch, AccessKind::store, 0, 0x3).fresh == 0);
            CHECK(memory.access(launch, AccessKind::store, 1, 0xf).fresh == 2);
            CHECK(memory.access(launch, AccessKind::load, 2, 0xf).fresh == 4);
            memory.begin_launch();
            CHECK_FALSE(memory.access(launch + 1, AccessKind::store, 3).conflict);
            memory.begin_launch();
        }
    }
}
