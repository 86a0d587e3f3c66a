// What counts as one request where the lanes of a warp go different ways.
#include "kernels/faults.h"
#include "observed_traffic.h"

#include <doctest/doctest.h>

using emulator::AccessKind;

TEST_CASE("lanes that leave a loop early take no part in later requests") {
    // Turn i: lanes i to 31 read neighbours, sectors i / 8 to 3. 8 * (4 + 3 + 2 + 1) = 80.
    const auto kernel = traffic(faults::uneven_loops);
    const auto& read = line(kernel, "uneven read", AccessKind::load);
    CHECK(read.requests == 32);
    CHECK(read.accesses == 528);
    CHECK(read.sectors == 80);
}

TEST_CASE("lanes that skip a read in a loop wait for the others behind it") {
    // Every round two of three lanes read, of each sector of 8 some: 32 * 4 sectors. Its n-th read is in
    // another round for each of three lanes.
    const auto kernel = traffic(faults::skipped_reads);
    const auto& read = line(kernel, "skipped read", AccessKind::load);
    CHECK(read.requests == 32);
    CHECK(read.sectors == 128);
    CHECK(read.useful_bytes == read.accesses * 4);
    CHECK(line(kernel, "write of all", AccessKind::store).sectors == 128);
}

TEST_CASE("where each lane takes one of two branches a round, both tell the rounds apart") {
    // Every round two of three lanes read, of each sector of 8 some: 32 * 4 sectors.
    const auto kernel = traffic(faults::branched_writes);
    const auto& read = line(kernel, "read of some", AccessKind::load);
    CHECK(read.requests == 32);
    CHECK(read.sectors == 128);
    // Both branches end with a write to the next place, which a compiler makes one of.
    CHECK(kernel.bytes_moved == (128 + 128) * 32);
    CHECK(kernel.useful_bytes == read.accesses * 4 + 32 * 32 * 4);
}

TEST_CASE("two branches without a loop write once, too") {
    // 32 lanes of 4 bytes, of which every third one writes 0: 4 sectors.
    const auto kernel = traffic(faults::branched_write);
    CHECK(kernel.sectors == 4);
}

TEST_CASE("two branches that write to different rows write twice") {
    const auto kernel = traffic(faults::branches_apart);
    CHECK(line(kernel, "write to the one", AccessKind::store).sectors == 128);
    CHECK(line(kernel, "write to the other", AccessKind::store).sectors == 128);
}
