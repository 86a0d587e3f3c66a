#pragma once

#include "exports/pseudonyms.h"
#include "gradebook/book.h"

#include <filesystem>

namespace teaching {

/// The file of --pseudonyms; without one, names are given.
class PseudonymsFile {
  public:
    /// Throws model::UsageError for a file that is not one of pseudonyms; it may be missing yet.
    explicit PseudonymsFile(std::filesystem::path path);

    /// The book as it may leave the machine. Pseudonyms that were drawn are kept first. Throws
    /// model::EnvironmentError where that fails.
    gradebook::Book readable(gradebook::Book book);

  private:
    std::filesystem::path path_;
    exports::Pseudonyms known_;
};

} // namespace teaching
