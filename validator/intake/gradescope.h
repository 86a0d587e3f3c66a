#pragma once

#include "coursework/deadline.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace intake {

/// The file that lies in an export of Gradescope ("Export Submissions"), next to a folder for each
/// submission.
inline constexpr std::string_view gradescope_metadata = "submission_metadata.yml";

/// What that file says of a submission.
struct ExportedSubmission {
    std::string folder;
    std::vector<std::vector<std::string>>
        submitters; ///< of each what names the student: sid, email address, name
    std::optional<coursework::Instant> created;
};

/// Throws model::ContentError for a text that is no such file. `name` is what messages call it.
std::vector<ExportedSubmission> read_gradescope_metadata(const std::string& name, const std::string& text);

} // namespace intake
