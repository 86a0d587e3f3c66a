#include "subject/recording.h"

#include "system/fd.h"

#include <cstring>
#include <doctest/doctest.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace subject;

namespace {

/// A recording of calls whose message and one region are these bytes.
class Recorded {
  public:
    explicit Recorded(int fd) : recording(fd) { recording.clear(); }
    Recorded() : Recorded(-1) {}

    void add(std::vector<std::byte>& bytes, std::size_t size, std::uint32_t function = 0) {
        recording.add({.function = function, .region_count = 1, .fresh = 1}, bytes,
                      {PlacedRegion{.data = bytes.data(), .bytes = size}});
    }

    Recording recording;
};

std::size_t size_of(const sys::Fd& file) {
    struct stat status {};
    REQUIRE(fstat(file.get(), &status) == 0);
    return static_cast<std::size_t>(status.st_size);
}

} // namespace

TEST_CASE("calls are recorded one after the other, each with its message and its regions") {
    const sys::Fd file(memfd_create("calls", MFD_CLOEXEC));
    Recorded calls(file.get());
    std::vector<std::byte> bytes{std::byte{1}, std::byte{2}, std::byte{3}};
    calls.add(bytes, 2, 7);
    calls.add(bytes, 0, 8);
    CHECK(calls.recording.last() == 2);

    RecordedCall head;
    REQUIRE(pread(file.get(), &head, sizeof head, 0) == sizeof head);
    CHECK(head.function == 7);
    CHECK(head.message_bytes == 3);
    CHECK(head.bytes == 5);
    std::byte rest[5];
    REQUIRE(pread(file.get(), rest, 5, sizeof head) == 5);
    CHECK(rest[2] == std::byte{3});
    CHECK(rest[4] == std::byte{2});
    REQUIRE(pread(file.get(), &head, sizeof head, sizeof head + 5) == sizeof head);
    CHECK(head.function == 8);
    CHECK(size_of(file) == 2 * sizeof head + 8);
}

TEST_CASE("a case begins with an empty recording") {
    const sys::Fd file(memfd_create("calls", MFD_CLOEXEC));
    Recorded calls(file.get());
    std::vector<std::byte> bytes(3);
    calls.add(bytes, 3);
    calls.recording.clear();
    CHECK(calls.recording.last() == 0);
    CHECK(size_of(file) == 0);
}

TEST_CASE("a call that is too large is in no recording, and neither is any after it") {
    const sys::Fd file(memfd_create("calls", MFD_CLOEXEC));
    Recorded calls(file.get());
    std::vector<std::byte> bytes(3);
    calls.add(bytes, 3);
    const std::size_t before = size_of(file);
    calls.add(bytes, Recording::max_bytes); // whose bytes are not looked at
    CHECK(calls.recording.last() == 0);
    calls.add(bytes, 3);
    CHECK(calls.recording.last() == 0);
    CHECK(size_of(file) == before);
    calls.recording.clear();
    calls.add(bytes, 3);
    CHECK(calls.recording.last() == 1);
}

TEST_CASE("without a file nothing is recorded") {
    Recorded calls;
    std::vector<std::byte> bytes(3);
    calls.add(bytes, 3);
    CHECK(calls.recording.last() == 0);
}
