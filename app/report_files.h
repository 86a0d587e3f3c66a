#pragma once

#include "app/options.h"
#include "model/judgement.h"
#include "report/formats.h"
#include "system/fd.h"

#include <filesystem>
#include <vector>

namespace app {

/// Where the reports of one run go. Files are opened before the slow work, so that a wrong path costs
/// nothing; they appear under their names only when they are complete. What a killed engine left in the same
/// folder goes away.
class ReportFiles {
  public:
    /// `inputs`: files of the run itself, which no report may replace.
    /// Throws model::UsageError for two reports in one place or in an input's, model::EnvironmentError for a
    /// file that cannot be written.
    ReportFiles(const std::vector<ReportOption>& reports, const std::vector<std::filesystem::path>& inputs);
    ~ReportFiles();
    ReportFiles(const ReportFiles&) = delete;
    ReportFiles& operator=(const ReportFiles&) = delete;

    /// The format asked for on stdout; null where the console view belongs there.
    const report::Format* on_stdout() const { return on_stdout_; }

    /// Writes every file. Throws model::EnvironmentError; what stood there before is then still there.
    void write(const model::Judgement& judgement);

  private:
    struct Target {
        const report::Format* format = nullptr;
        std::filesystem::path path;
        std::filesystem::path temporary; ///< empty where the path is no regular file and is written directly
        sys::Fd fd;
    };

    ReportFiles() = default;
    static Target open_target(const report::Format& format, const std::filesystem::path& path);
    void refuse_twice(const Target& target) const;

    std::vector<Target> targets_;
    const report::Format* on_stdout_ = nullptr;
};

} // namespace app
