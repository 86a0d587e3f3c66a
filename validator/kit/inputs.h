#pragma once

#include <filesystem>
#include <map>
#include <mutex>
#include <string>

namespace kit {

/// Digests of the engine's own files that go into kits, each read once however many keys need it. An engine
/// is not replaced while it runs.
class Inputs {
  public:
    /// Of a file, or of all headers below a folder. Throws model::EnvironmentError where it is missing.
    std::string digest(const std::filesystem::path& input);

  private:
    std::mutex mutex_;
    std::map<std::filesystem::path, std::string> known_;
};

} // namespace kit
