#pragma once

#include "app/teaching/circumstances.h"
#include "gradebook/gradebook.h"

#include <functional>
#include <string>
#include <variant>
#include <vector>

namespace teaching {

/// One run of the judge, and all works that get what comes of it.
struct Piece {
    Circumstances how;
    std::string hash; ///< of the files
    std::string key;
    std::string package; ///< digest of the problem's part in the key
    std::vector<gradebook::WorkId> works;
};

/// Why there is no report, which is nobody's fault in the class.
struct NotJudged {
    std::string why;
};

using Result = std::variant<std::string, NotJudged>;

/// Runs pieces, wherever that may be.
class Executor {
  public:
    using Files = std::function<std::vector<model::SourceFile>(const std::string& hash)>;
    using Collect = std::function<void(const Piece&, Result)>;

    Executor() = default;
    Executor(const Executor&) = delete;
    Executor& operator=(const Executor&) = delete;
    virtual ~Executor() = default;

    /// Returns when every piece was collected, in any order. `files` and `collect` are called one at a time;
    /// what they throw ends the run and is thrown here. Throws judge::Interrupted as well.
    virtual void run(const std::vector<Piece>& pieces, const Files& files, const Collect& collect) = 0;
};

} // namespace teaching
