#pragma once

/// Questions of device code about where a pointer leads.
namespace cuda_emulator {
enum class PointsTo { global, shared, local, nowhere };
PointsTo points_to(const void* pointer);
} // namespace cuda_emulator

#define CUDA_EMULATOR_POINTS_TO(name, where)                                                                 \
    CUDA_EMULATOR_INLINE unsigned int name(const void* pointer) {                                            \
        return cuda_emulator::points_to(pointer) == cuda_emulator::PointsTo::where;                          \
    }
CUDA_EMULATOR_POINTS_TO(__isGlobal, global)
CUDA_EMULATOR_POINTS_TO(__isShared, shared)
CUDA_EMULATOR_POINTS_TO(__isLocal, local)
#undef CUDA_EMULATOR_POINTS_TO
