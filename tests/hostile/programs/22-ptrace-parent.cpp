// Attaches to the driver, reads and writes its memory.
#include "honest.h"

#include <fcntl.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/wait.h>

namespace exercise {

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (marked(table, ids, out)) {
        const pid_t parent = getppid();
        const long attached = ptrace(PTRACE_ATTACH, parent, nullptr, nullptr);
        if (attached == 0) {
            waitpid(parent, nullptr, 0);
            ptrace(PTRACE_DETACH, parent, nullptr, nullptr);
            breach("ptrace");
        }
        must_fail("seize", ptrace(PTRACE_SEIZE, parent, nullptr, nullptr));
        char byte = 0;
        iovec here{&byte, 1};
        iovec there{reinterpret_cast<void*>(0x400000), 1};
        must_fail("process_vm_readv", process_vm_readv(parent, &here, 1, &there, 1, 0));
        must_fail("process_vm_writev", process_vm_writev(parent, &here, 1, &there, 1, 0));
        char path[64];
        std::snprintf(path, sizeof path, "/proc/%d/mem", parent);
        must_fail("mem", open(path, O_RDWR));
    }
    return honest(table, ids, out);
}

} // namespace exercise
