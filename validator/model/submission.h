#pragma once

#include <string>
#include <vector>

namespace model {

struct SourceFile {
    std::string name; ///< as the manifest's `files` names it
    std::string text;
};

/// The learner's file(s) for one problem, read once; nothing below re-reads the disk.
struct Submission {
    std::string shown_as; ///< the path as the learner would type it
    std::vector<SourceFile> files;
    std::vector<SourceFile> headers; ///< what the files include besides, by the paths they include it by
    std::string from;                ///< what --from named; empty for the exercise of the workspace
    std::string call = "engine";     ///< how the learner calls the engine
};

} // namespace model
