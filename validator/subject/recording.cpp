#include "subject/recording.h"

#include <cerrno>
#include <unistd.h>

namespace subject {

void Recording::clear() {
    written_ = calls_ = 0;
    full_ = fd_ < 0 || ftruncate(fd_, 0) != 0;
}

void Recording::add(RecordedCall head, std::span<const std::byte> message,
                    const std::vector<PlacedRegion>& regions) {
    head.message_bytes = head.bytes = message.size();
    for (const PlacedRegion& region : regions)
        head.bytes += region.bytes;
    full_ = full_ || fd_ < 0 || sizeof head + head.bytes > max_bytes - written_;
    if (full_) return;
    append(&head, sizeof head);
    append(message.data(), message.size());
    for (const PlacedRegion& region : regions)
        append(region.data, region.bytes);
    ++calls_;
}

void Recording::append(const void* data, std::size_t bytes) {
    const auto* from = static_cast<const std::byte*>(data);
    while (bytes > 0 && !full_) {
        const ssize_t wrote = pwrite(fd_, from, bytes, static_cast<off_t>(written_));
        if (wrote < 0 && errno == EINTR) continue;
        full_ = wrote <= 0; // the disk is
        if (full_) return;
        from += wrote;
        bytes -= static_cast<std::size_t>(wrote);
        written_ += static_cast<std::uint64_t>(wrote);
    }
}

} // namespace subject
