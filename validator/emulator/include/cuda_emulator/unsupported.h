#pragma once

/// CUDA that the emulator does not have: naming it is an error that says what to do instead.
#define CUDA_EMULATOR_UNAVAILABLE(name, advice)                                                              \
    template <class... Arguments>                                                                            \
    __attribute__((unavailable("the emulator does not have " #name ": " advice))) int name(Arguments&&...);

/// The same for a type.
#define CUDA_EMULATOR_NO_TYPE(name, advice)                                                                  \
    typedef struct cuda_emulator_##name* name                                                                \
        __attribute__((unavailable("the emulator does not have " #name ": " advice)));

#define CUDA_EMULATOR_NO_GRAPH "launch the work on the stream"
CUDA_EMULATOR_NO_TYPE(cudaGraph_t, CUDA_EMULATOR_NO_GRAPH)
CUDA_EMULATOR_NO_TYPE(cudaGraphExec_t, CUDA_EMULATOR_NO_GRAPH)
CUDA_EMULATOR_NO_TYPE(cudaGraphNode_t, CUDA_EMULATOR_NO_GRAPH)
CUDA_EMULATOR_UNAVAILABLE(cudaGraphCreate, CUDA_EMULATOR_NO_GRAPH)
CUDA_EMULATOR_UNAVAILABLE(cudaGraphInstantiate, CUDA_EMULATOR_NO_GRAPH)
CUDA_EMULATOR_UNAVAILABLE(cudaGraphLaunch, CUDA_EMULATOR_NO_GRAPH)
CUDA_EMULATOR_UNAVAILABLE(cudaStreamBeginCapture, CUDA_EMULATOR_NO_GRAPH)
CUDA_EMULATOR_UNAVAILABLE(cudaStreamEndCapture, CUDA_EMULATOR_NO_GRAPH)
#undef CUDA_EMULATOR_NO_GRAPH
#define CUDA_EMULATOR_NO_TEXTURE "read through a pointer, with __ldg for the read-only cache"
CUDA_EMULATOR_NO_TYPE(cudaTextureObject_t, CUDA_EMULATOR_NO_TEXTURE)
CUDA_EMULATOR_NO_TYPE(cudaSurfaceObject_t, CUDA_EMULATOR_NO_TEXTURE)
CUDA_EMULATOR_NO_TYPE(cudaArray_t, CUDA_EMULATOR_NO_TEXTURE)
CUDA_EMULATOR_UNAVAILABLE(cudaCreateTextureObject, CUDA_EMULATOR_NO_TEXTURE)
#undef CUDA_EMULATOR_NO_TEXTURE
CUDA_EMULATOR_NO_TYPE(cudaMemPool_t, "cudaMallocAsync takes from the default pool")
CUDA_EMULATOR_UNAVAILABLE(cudaLaunchKernelExC, "use cudaLaunchKernelEx, which takes the arguments themselves")
CUDA_EMULATOR_UNAVAILABLE(cudaMemPrefetchAsync, "managed memory needs no hints here")
CUDA_EMULATOR_UNAVAILABLE(cudaMemAdvise, "managed memory needs no hints here")
CUDA_EMULATOR_UNAVAILABLE(cudaMalloc3D, "use cudaMalloc or cudaMallocPitch")
CUDA_EMULATOR_UNAVAILABLE(cudaMemcpyPeer, "there is one device")

#define CUDA_EMULATOR_SYNC_FORM "use the form that ends in _sync and pass the mask of lanes that take part"
CUDA_EMULATOR_UNAVAILABLE(__shfl, CUDA_EMULATOR_SYNC_FORM)
CUDA_EMULATOR_UNAVAILABLE(__shfl_up, CUDA_EMULATOR_SYNC_FORM)
CUDA_EMULATOR_UNAVAILABLE(__shfl_down, CUDA_EMULATOR_SYNC_FORM)
CUDA_EMULATOR_UNAVAILABLE(__shfl_xor, CUDA_EMULATOR_SYNC_FORM)
CUDA_EMULATOR_UNAVAILABLE(__ballot, CUDA_EMULATOR_SYNC_FORM)
CUDA_EMULATOR_UNAVAILABLE(__any, CUDA_EMULATOR_SYNC_FORM)
CUDA_EMULATOR_UNAVAILABLE(__all, CUDA_EMULATOR_SYNC_FORM)
#undef CUDA_EMULATOR_SYNC_FORM
CUDA_EMULATOR_UNAVAILABLE(__pipeline_memcpy_async, "copy through a register and use __syncthreads")
CUDA_EMULATOR_UNAVAILABLE(__cvta_generic_to_shared, "there is no inline PTX here")
#undef CUDA_EMULATOR_NO_TYPE
#undef CUDA_EMULATOR_UNAVAILABLE
