#pragma once

/// CUDA that the emulator does not have: naming it is an error that says what to do instead.
#define CUDA_EMULATOR_UNAVAILABLE(name, advice)                                                              \
    template <class... Arguments>                                                                            \
    __attribute__((unavailable("the emulator does not have " #name ": " advice))) int name(Arguments&&...);

#define CUDA_EMULATOR_NO_GRAPH "launch the work on the stream"
CUDA_EMULATOR_UNAVAILABLE(cudaGraphCreate, CUDA_EMULATOR_NO_GRAPH)
CUDA_EMULATOR_UNAVAILABLE(cudaGraphInstantiate, CUDA_EMULATOR_NO_GRAPH)
CUDA_EMULATOR_UNAVAILABLE(cudaGraphLaunch, CUDA_EMULATOR_NO_GRAPH)
CUDA_EMULATOR_UNAVAILABLE(cudaStreamBeginCapture, CUDA_EMULATOR_NO_GRAPH)
CUDA_EMULATOR_UNAVAILABLE(cudaStreamEndCapture, CUDA_EMULATOR_NO_GRAPH)
#undef CUDA_EMULATOR_NO_GRAPH
CUDA_EMULATOR_UNAVAILABLE(cudaLaunchKernel, "launch with <<<...>>>")
CUDA_EMULATOR_UNAVAILABLE(cudaLaunchKernelEx, "launch with <<<...>>>")
CUDA_EMULATOR_UNAVAILABLE(cudaLaunchCooperativeKernel,
                          "blocks cannot wait for each other: launch a second kernel")
CUDA_EMULATOR_UNAVAILABLE(cudaFuncSetAttribute, "a block has at most 48 KiB of shared memory here")
CUDA_EMULATOR_UNAVAILABLE(cudaFuncSetCacheConfig, "it would change nothing here")
CUDA_EMULATOR_UNAVAILABLE(cudaFuncGetAttributes, "a kernel has no registers here")
CUDA_EMULATOR_UNAVAILABLE(cudaOccupancyMaxPotentialBlockSize, "choose the block size, for instance 256")
CUDA_EMULATOR_UNAVAILABLE(cudaOccupancyMaxActiveBlocksPerMultiprocessor, "there are no multiprocessors here")
CUDA_EMULATOR_UNAVAILABLE(cudaStreamAddCallback, "use cudaLaunchHostFunc")
CUDA_EMULATOR_UNAVAILABLE(cudaStreamCreateWithPriority, "use cudaStreamCreateWithFlags")
CUDA_EMULATOR_UNAVAILABLE(cudaHostRegister, "allocate with cudaMallocHost")
CUDA_EMULATOR_UNAVAILABLE(cudaHostGetDevicePointer, "use the pointer itself")
CUDA_EMULATOR_UNAVAILABLE(cudaMemPrefetchAsync, "managed memory needs no hints here")
CUDA_EMULATOR_UNAVAILABLE(cudaMemAdvise, "managed memory needs no hints here")
CUDA_EMULATOR_UNAVAILABLE(cudaMalloc3D, "use cudaMalloc or cudaMallocPitch")
CUDA_EMULATOR_UNAVAILABLE(cudaMemset2D, "use cudaMemset, row by row")
CUDA_EMULATOR_UNAVAILABLE(cudaMemcpyPeer, "there is one device")
CUDA_EMULATOR_UNAVAILABLE(cudaCreateTextureObject, "read through a pointer")
CUDA_EMULATOR_UNAVAILABLE(cudaPointerGetAttributes, "remember where memory came from")
CUDA_EMULATOR_UNAVAILABLE(cudaDeviceSetLimit, "the limits are fixed here")

#define CUDA_EMULATOR_SYNC_FORM "use the form that ends in _sync and pass the mask of lanes that take part"
CUDA_EMULATOR_UNAVAILABLE(__shfl, CUDA_EMULATOR_SYNC_FORM)
CUDA_EMULATOR_UNAVAILABLE(__shfl_up, CUDA_EMULATOR_SYNC_FORM)
CUDA_EMULATOR_UNAVAILABLE(__shfl_down, CUDA_EMULATOR_SYNC_FORM)
CUDA_EMULATOR_UNAVAILABLE(__shfl_xor, CUDA_EMULATOR_SYNC_FORM)
CUDA_EMULATOR_UNAVAILABLE(__ballot, CUDA_EMULATOR_SYNC_FORM)
CUDA_EMULATOR_UNAVAILABLE(__any, CUDA_EMULATOR_SYNC_FORM)
CUDA_EMULATOR_UNAVAILABLE(__all, CUDA_EMULATOR_SYNC_FORM)
#undef CUDA_EMULATOR_SYNC_FORM
CUDA_EMULATOR_UNAVAILABLE(__activemask, "its value is unspecified: pass the mask your algorithm needs")
CUDA_EMULATOR_UNAVAILABLE(clock64, "device clocks cannot be emulated")
CUDA_EMULATOR_UNAVAILABLE(__byte_perm, "combine the bytes with shifts")
CUDA_EMULATOR_UNAVAILABLE(__dp4a, "multiply and add the four bytes")
CUDA_EMULATOR_UNAVAILABLE(__pipeline_memcpy_async, "copy through a register and use __syncthreads")
CUDA_EMULATOR_UNAVAILABLE(__isGlobal, "keep shared and global pointers apart")
CUDA_EMULATOR_UNAVAILABLE(__isShared, "keep shared and global pointers apart")
CUDA_EMULATOR_UNAVAILABLE(__cvta_generic_to_shared, "there is no inline PTX here")
#undef CUDA_EMULATOR_UNAVAILABLE
