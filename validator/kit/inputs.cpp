#include "kit/inputs.h"

#include "build/digest.h"
#include "build/file.h"
#include "model/errors.h"

#include <cerrno>
#include <cstring>

namespace kit {
namespace {

namespace fs = std::filesystem;

std::string read_digest(const fs::path& input) {
    build::Digest digest;
    std::error_code ignored;
    if (fs::is_directory(input, ignored)) {
        build::add_headers(digest, input);
    } else if (const auto bytes = build::read_file(input)) {
        digest.add(*bytes);
    } else {
        throw model::EnvironmentError("cannot read " + input.string() +
                                      ", which problems are prepared with: " + std::strerror(errno) +
                                      "; build or install the engine again");
    }
    return digest.hex();
}

} // namespace

std::string Inputs::digest(const fs::path& input) {
    const std::scoped_lock lock(mutex_);
    if (const auto known = known_.find(input); known != known_.end()) return known->second;
    return known_[input] = read_digest(input);
}

} // namespace kit
