#pragma once

#include "build/workshop.h"
#include "model/gpu.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace build {

/// A GPU that answers.
struct Gpu {
    model::Gpu facts;
    std::string code; ///< what nvcc is told to make for it: "-gencode=arch=compute_90,code=sm_90"
};

/// The files through which a program reaches the GPU: its device nodes and the driver's libraries; none where
/// there is no node.
std::vector<std::filesystem::path> gpu_files(const Layout& layout);

/// The libraries among them, and those of the C library that they load; what is not installed is left out.
std::vector<std::filesystem::path> driver_libraries();

/// The machine's first GPU, asked by a program of ours that runs as confined as a submission will be; or one
/// sentence on why there is none to use. Compiles that program once (seconds). Throws model::EnvironmentError
/// where no program can be started at all, and model::Interrupted.
std::variant<Gpu, std::string> find_gpu(const Workshop& workshop, int cancel_fd = -1);

/// What the program printed: a GPU, or the sentence. `nvcc`: its version; `known`: what `nvcc
/// --list-gpu-code` says.
std::variant<Gpu, std::string> read_probe(std::string_view printed, std::string_view nvcc,
                                          std::string_view known);

/// The first of these that is there and may not be used by this user; empty for none.
std::filesystem::path forbidden_one(const std::vector<std::filesystem::path>& files);

} // namespace build
