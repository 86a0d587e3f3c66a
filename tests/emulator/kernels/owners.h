#pragma once

/// Kernels that read ten numbers of somebody's memory. Each launches, waits and gives the error of waiting as
/// an int.
namespace owners {

// Memory of the host.
int host_stack();
int host_heap();
int host_global();
int host_constant();
int host_constexpr();
int host_static();
int host_static_constant();
int host_static_by_macro();
int host_static_unwritten();
int host_member();
int written_by_kernel();

// What device code may read.
int literal();
int constant_values();
int device_variable();
int constant_variable();
int managed_variable();
int by_symbol_address();
int device_static();
int table_of_functions();
int virtual_function();
int parameters();
int local_memory();
int pinned();
int registered_static();

} // namespace owners
