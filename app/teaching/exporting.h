#pragma once

#include "app/context.h"
#include "app/options.h"
#include "app/teaching/pseudonyms_file.h"
#include "build/layout.h"
#include "coursework/assignment.h"
#include "exports/formats.h"
#include "gradebook/gradebook.h"

#include <filesystem>
#include <optional>
#include <vector>

namespace teaching {

/// The exports that were asked for. Made before the slow work, so that what cannot be written is known at
/// once.
class Exports {
  public:
    /// Throws model::UsageError for an export without a place, for a place that is a folder where a file is
    /// needed or the other way round, and for a file of pseudonyms that is none; model::EnvironmentError
    /// where a folder cannot be made.
    explicit Exports(const app::Context& context);

    /// Writes each file in one step: readers see the old content or the new one. Pseudonyms that were drawn
    /// are kept first. Throws model::EnvironmentError.
    void write(const gradebook::Gradebook& book, const coursework::Assignment& assignment,
               const catalogue::Schema& reports);

  private:
    exports::AutograderParts autograder_parts(const gradebook::Gradebook& book,
                                              const coursework::Assignment& assignment) const;
    struct Target {
        const exports::Format* format = nullptr;
        std::filesystem::path path;
    };

    build::Layout layout_;
    std::vector<Target> targets_;
    PseudonymsFile pseudonyms_;
};

} // namespace teaching
