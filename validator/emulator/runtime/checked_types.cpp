#include "runtime/block.h"
#include "runtime/findings.h"

#include <cstdint>

/// What the compiler calls where an index is outside of an array's type, or an address is no multiple of a
/// type's alignment (-fsanitize=bounds, alignment). The arrays are those of whatever memory: of the device,
/// constant, shared or a thread's own, each by itself. The layout of the data is the compiler's.
namespace {

struct SourceLocation {
    const char* file;
    std::uint32_t line, column;
};

struct TypeDescriptor {
    std::uint16_t kind, information; ///< of an integer: 0, and whether it is signed with its size
    char name[1];                    ///< in quotes
};

struct OutOfBounds {
    SourceLocation where;
    const TypeDescriptor* array;
    const TypeDescriptor* index;
};

struct TypeMismatch {
    SourceLocation where;
    const TypeDescriptor* type;
    unsigned char log_alignment, kind;
};

[[noreturn]] void refuse(const SourceLocation& where, emulator::FindingKind kind, cudaError_t error,
                         std::string message) {
    if (!cuda_emulator::in_kernel) __builtin_trap(); // as the host's checks do
    const std::string file = where.file;
    cuda_emulator::report({.kind = kind,
                           .message = std::move(message),
                           .kernel = cuda_emulator::current_launch->kernel,
                           .thread = cuda_emulator::thread_id(cuda_emulator::block->current->thread),
                           .where = {file.substr(file.rfind('/') + 1), static_cast<int>(where.line), 0}});
    cuda_emulator::abort_kernel(error);
}

/// An index is given as itself if it fits a register, as every index does.
std::string text_of(const TypeDescriptor& type, std::uintptr_t value) {
    const bool is_signed = (type.information & 1) != 0;
    return is_signed ? std::to_string(static_cast<std::intptr_t>(value)) : std::to_string(value);
}

} // namespace

extern "C" {

[[noreturn]] void __ubsan_handle_out_of_bounds_abort(const OutOfBounds* found, std::uintptr_t index) {
    refuse(found->where, emulator::FindingKind::out_of_bounds, cudaErrorIllegalAddress,
           "A kernel uses index " + text_of(*found->index, index) + " of an array of type " +
               found->array->name + ".");
}

[[noreturn]] void __ubsan_handle_type_mismatch_v1_abort(const TypeMismatch* found, std::uintptr_t) {
    refuse(found->where, emulator::FindingKind::misaligned, cudaErrorMisalignedAddress,
           std::string("A kernel uses an address that is not a multiple of ") +
               std::to_string(1u << found->log_alignment) + ", as type " + found->type->name + " needs it.");
}

} // extern "C"
