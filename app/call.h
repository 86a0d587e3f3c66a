#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace app {

/// How the learner calls the engine, so that each command in a message works where it is read: `engine test`,
/// `./engine test` in a clone, `../../engine test` further below.
class Call {
  public:
    /// `typed` is the first word of the command line, `here` the current folder, `search` the value of PATH.
    Call(std::string_view typed, std::filesystem::path here, std::string_view search);

    /// A whole command, e.g. `./engine submit-build token-lookup`. Without arguments the engine alone.
    std::string operator()(std::string_view arguments = {}) const;

    /// For a program that starts the engine in `folder`: one name that is found in PATH, or a whole path.
    std::filesystem::path program() const;
    /// The word for a shell that is in `folder`.
    std::string word_in(const std::filesystem::path& folder) const;

  private:
    std::filesystem::path typed_;
    std::filesystem::path here_;
};

/// The word that this process was called with: `argument`, unless the clone's script stands in front of it.
std::string typed_word(const char* argument);

} // namespace app
