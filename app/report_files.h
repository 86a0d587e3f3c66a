#pragma once

#include "model/judgement.h"
#include "report/formats.h"
#include "system/fd.h"

#include <filesystem>
#include <string>
#include <vector>

namespace app {

/// Where the reports of one run go. Files are opened before the slow work, so that a wrong path costs
/// nothing; they appear under their names only when they are complete.
class ReportFiles {
  public:
    /// `formats[i]` goes to `outputs[i]`; a format without an output goes to stdout.
    /// Throws model::UsageError for pairs that do not fit, model::EnvironmentError for a file that cannot be
    /// written.
    ReportFiles(const std::vector<std::string>& formats, const std::vector<std::string>& outputs);
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

    std::vector<Target> targets_;
    const report::Format* on_stdout_ = nullptr;
};

} // namespace app
