#pragma once

/// CUDA that the emulator does not have: naming it is an error that says what to do instead.
#define CUDA_EMULATOR_UNAVAILABLE(name, advice)                                                              \
    template <class... Arguments>                                                                            \
    __attribute__((unavailable("the emulator does not have " #name ": " advice))) int name(Arguments&&...);

/// The same for a type.
#define CUDA_EMULATOR_NO_TYPE(name, advice)                                                                  \
    typedef struct cuda_emulator_##name* name                                                                \
        __attribute__((unavailable("the emulator does not have " #name ": " advice)));

/// The same for an enumerator or a flag.
#define CUDA_EMULATOR_NO_VALUE(name, advice)                                                                 \
    __attribute__((unavailable("the emulator does not have " #name ": " advice))) extern const int name;

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
CUDA_EMULATOR_NO_TYPE(cudaMemcpy3DParms, CUDA_EMULATOR_NO_TEXTURE)
CUDA_EMULATOR_NO_TYPE(cudaChannelFormatDesc, CUDA_EMULATOR_NO_TEXTURE)
CUDA_EMULATOR_NO_TYPE(cudaResourceDesc, CUDA_EMULATOR_NO_TEXTURE)
CUDA_EMULATOR_NO_TYPE(cudaTextureDesc, CUDA_EMULATOR_NO_TEXTURE)
CUDA_EMULATOR_NO_TYPE(cudaExtent, CUDA_EMULATOR_NO_TEXTURE)
CUDA_EMULATOR_UNAVAILABLE(cudaCreateTextureObject, CUDA_EMULATOR_NO_TEXTURE)
CUDA_EMULATOR_UNAVAILABLE(cudaCreateSurfaceObject, CUDA_EMULATOR_NO_TEXTURE)
CUDA_EMULATOR_UNAVAILABLE(cudaMallocArray, CUDA_EMULATOR_NO_TEXTURE)
CUDA_EMULATOR_UNAVAILABLE(cudaMalloc3DArray, CUDA_EMULATOR_NO_TEXTURE)
CUDA_EMULATOR_UNAVAILABLE(cudaMemcpyToArray, CUDA_EMULATOR_NO_TEXTURE)
CUDA_EMULATOR_UNAVAILABLE(cudaMemcpy2DToArray, CUDA_EMULATOR_NO_TEXTURE)
CUDA_EMULATOR_UNAVAILABLE(cudaMemcpy3D, CUDA_EMULATOR_NO_TEXTURE)
#undef CUDA_EMULATOR_NO_TEXTURE
CUDA_EMULATOR_NO_TYPE(cudaMemPool_t, "cudaMallocAsync takes from the default pool")
CUDA_EMULATOR_UNAVAILABLE(cudaLaunchKernelExC, "use cudaLaunchKernelEx, which takes the arguments themselves")
#define CUDA_EMULATOR_NO_HINT "managed memory needs no hints here"
CUDA_EMULATOR_NO_TYPE(cudaMemLocation, CUDA_EMULATOR_NO_HINT)
CUDA_EMULATOR_NO_VALUE(cudaMemAttachSingle, CUDA_EMULATOR_NO_HINT)
CUDA_EMULATOR_UNAVAILABLE(cudaMemPrefetchAsync, CUDA_EMULATOR_NO_HINT)
CUDA_EMULATOR_UNAVAILABLE(cudaMemAdvise, CUDA_EMULATOR_NO_HINT)
CUDA_EMULATOR_UNAVAILABLE(cudaStreamAttachMemAsync, CUDA_EMULATOR_NO_HINT)
#undef CUDA_EMULATOR_NO_HINT
#define CUDA_EMULATOR_NO_POLICY "the cache needs no hints here: leave the access policy window out"
CUDA_EMULATOR_NO_TYPE(cudaAccessPolicyWindow, CUDA_EMULATOR_NO_POLICY)
CUDA_EMULATOR_NO_TYPE(cudaStreamAttrValue, CUDA_EMULATOR_NO_POLICY)
CUDA_EMULATOR_NO_VALUE(cudaAccessPropertyNormal, CUDA_EMULATOR_NO_POLICY)
CUDA_EMULATOR_NO_VALUE(cudaAccessPropertyStreaming, CUDA_EMULATOR_NO_POLICY)
CUDA_EMULATOR_NO_VALUE(cudaAccessPropertyPersisting, CUDA_EMULATOR_NO_POLICY)
CUDA_EMULATOR_NO_VALUE(cudaStreamAttributeAccessPolicyWindow, CUDA_EMULATOR_NO_POLICY)
CUDA_EMULATOR_NO_VALUE(cudaLaunchAttributeAccessPolicyWindow, CUDA_EMULATOR_NO_POLICY)
CUDA_EMULATOR_UNAVAILABLE(cudaStreamSetAttribute, CUDA_EMULATOR_NO_POLICY)
CUDA_EMULATOR_UNAVAILABLE(cudaCtxResetPersistingL2Cache, CUDA_EMULATOR_NO_POLICY)
#undef CUDA_EMULATOR_NO_POLICY
#define CUDA_EMULATOR_NO_EARLY_START "a kernel begins when the one before it on its stream has ended"
CUDA_EMULATOR_NO_VALUE(cudaLaunchAttributeProgrammaticStreamSerialization, CUDA_EMULATOR_NO_EARLY_START)
CUDA_EMULATOR_NO_VALUE(cudaLaunchAttributeProgrammaticEvent, CUDA_EMULATOR_NO_EARLY_START)
CUDA_EMULATOR_UNAVAILABLE(cudaGridDependencySynchronize, CUDA_EMULATOR_NO_EARLY_START)
CUDA_EMULATOR_UNAVAILABLE(cudaTriggerProgrammaticLaunchCompletion, CUDA_EMULATOR_NO_EARLY_START)
#undef CUDA_EMULATOR_NO_EARLY_START
CUDA_EMULATOR_NO_VALUE(cudaLaunchAttributeClusterDimension, "it has no clusters of blocks: use one block")
#define CUDA_EMULATOR_NO_SHARING "there is one process"
CUDA_EMULATOR_NO_TYPE(cudaIpcMemHandle_t, CUDA_EMULATOR_NO_SHARING)
CUDA_EMULATOR_NO_TYPE(cudaIpcEventHandle_t, CUDA_EMULATOR_NO_SHARING)
CUDA_EMULATOR_NO_VALUE(cudaEventInterprocess, CUDA_EMULATOR_NO_SHARING)
CUDA_EMULATOR_NO_VALUE(cudaIpcMemLazyEnablePeerAccess, CUDA_EMULATOR_NO_SHARING)
CUDA_EMULATOR_UNAVAILABLE(cudaIpcGetMemHandle, CUDA_EMULATOR_NO_SHARING)
CUDA_EMULATOR_UNAVAILABLE(cudaIpcOpenMemHandle, CUDA_EMULATOR_NO_SHARING)
CUDA_EMULATOR_UNAVAILABLE(cudaIpcGetEventHandle, CUDA_EMULATOR_NO_SHARING)
CUDA_EMULATOR_UNAVAILABLE(cudaIpcOpenEventHandle, CUDA_EMULATOR_NO_SHARING)
CUDA_EMULATOR_UNAVAILABLE(cudaIpcCloseMemHandle, CUDA_EMULATOR_NO_SHARING)
#undef CUDA_EMULATOR_NO_SHARING
CUDA_EMULATOR_UNAVAILABLE(cudaMalloc3D, "use cudaMalloc or cudaMallocPitch")
CUDA_EMULATOR_UNAVAILABLE(cudaMemcpyPeer, "there is one device")
CUDA_EMULATOR_UNAVAILABLE(cudaDeviceCanAccessPeer, "there is one device")
CUDA_EMULATOR_UNAVAILABLE(cudaDeviceEnablePeerAccess, "there is one device")
CUDA_EMULATOR_UNAVAILABLE(cudaDeviceDisablePeerAccess, "there is one device")

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
#undef CUDA_EMULATOR_NO_VALUE
#undef CUDA_EMULATOR_UNAVAILABLE
