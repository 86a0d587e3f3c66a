#pragma once

#include "app/options.h"
#include "system/fd.h"

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace app {

/// Where the reports of one run go. Files are opened before the slow work, so that a wrong path costs
/// nothing; they appear under their names only when they are complete. What a killed engine left in the same
/// folder goes away.
class ReportFiles {
  public:
    /// `view` is the format that is shown as the terminal wants it. `inputs`: files of the run itself, which
    /// no report may replace.
    /// Throws model::UsageError for two reports in one place or in an input's, model::EnvironmentError for a
    /// file that cannot be written.
    ReportFiles(const std::vector<ReportOption>& reports, const std::vector<std::filesystem::path>& inputs,
                std::string_view view);
    ~ReportFiles();
    ReportFiles(const ReportFiles&) = delete;
    ReportFiles& operator=(const ReportFiles&) = delete;

    /// The format asked for on stdout; empty where the view belongs there.
    const std::string& on_stdout() const { return on_stdout_; }

    /// Writes every file, as `render` renders its format. Throws model::EnvironmentError; what stood there
    /// before is then still there.
    void write(const std::function<std::string(std::string_view format)>& render);

  private:
    struct Target {
        std::string format;
        std::filesystem::path path;
        std::filesystem::path temporary; ///< empty where the path is no regular file and is written directly
        sys::Fd fd;
    };

    ReportFiles() = default;
    static Target open_target(const std::string& format, const std::filesystem::path& path);
    void refuse_twice(const Target& target) const;

    std::vector<Target> targets_;
    std::string on_stdout_;
};

} // namespace app
