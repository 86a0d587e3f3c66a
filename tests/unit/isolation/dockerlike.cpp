// dockerlike PROGRAM ARGUMENTS…: runs a program under what container runtimes put around one by default: no
// namespaces, no mounts, and a clone3 that is said not to exist. So the level that containers offer is tested
// on every machine.
#include <cerrno>
#include <cstdio>
#include <initializer_list>
#include <sched.h>
#include <seccomp.h>
#include <unistd.h>

int main(int count, char** arguments) {
    if (count < 2) return 2;
    scmp_filter_ctx context = seccomp_init(SCMP_ACT_ALLOW);
    constexpr unsigned namespaces = CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC |
                                    CLONE_NEWUTS | CLONE_NEWCGROUP;
    bool built = context != nullptr;
    for (const char* call : {"unshare", "setns", "mount", "umount2", "pivot_root", "open_tree", "move_mount",
                             "fsopen", "fsmount", "mount_setattr"})
        built = built &&
                seccomp_rule_add(context, SCMP_ACT_ERRNO(EPERM), seccomp_syscall_resolve_name(call), 0) == 0;
    for (unsigned bit = 1; bit != 0; bit <<= 1)
        if ((namespaces & bit) != 0)
            built = built &&
                    seccomp_rule_add(context, SCMP_ACT_ERRNO(EPERM), seccomp_syscall_resolve_name("clone"), 1,
                                     SCMP_A0(SCMP_CMP_MASKED_EQ, bit, bit)) == 0;
    built = built &&
            seccomp_rule_add(context, SCMP_ACT_ERRNO(ENOSYS), seccomp_syscall_resolve_name("clone3"), 0) == 0;
    if (!built || seccomp_load(context) != 0) {
        std::perror("dockerlike: seccomp");
        return 2;
    }
    execv(arguments[1], arguments + 1);
    std::perror(arguments[1]);
    return 127;
}
