#pragma once

/// A way to read and write vectors, as a kernel that one thread runs.
struct Kernel {
    const char* name;
    void (*launch)();
    const char* accesses; ///< "16 4 -> 16": the bytes of each load, then of each store, in ascending order
};

extern const Kernel kernels[];
extern const int kernel_count;
