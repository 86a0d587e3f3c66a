// Sockets that reach beyond the process without a network: unix, netlink, vsock, packet.
#include "honest.h"

#include <sys/socket.h>

namespace exercise {

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (marked(table, ids, out)) {
        int pair[2];
        must_fail("socketpair", socketpair(AF_UNIX, SOCK_STREAM, 0, pair));
        must_fail("unix socket", socket(AF_UNIX, SOCK_DGRAM, 0));
        must_fail("vsock", socket(AF_VSOCK, SOCK_STREAM, 0));
        must_fail("netlink", socket(AF_NETLINK, SOCK_RAW, 0));
        must_fail("packet", socket(AF_PACKET, SOCK_RAW, 0));
        must_fail("udp", socket(AF_INET, SOCK_DGRAM, 0));
    }
    return honest(table, ids, out);
}

} // namespace exercise
