#pragma once

#include "app/context.h"
#include "coursework/assignment.h"
#include "gradebook/gradebook.h"
#include "similarity/program.h"

#include <filesystem>
#include <string>
#include <vector>

namespace teaching {

/// Programs to compare for similarity, and those that are too long for it, by name.
struct Programs {
    std::vector<similarity::Program> all;
    std::vector<std::string> too_long;
};

/// What everybody has for a problem: the starter, the reference and the accepted variants.
void add_course_programs(Programs& programs, const model::Problem& problem);

/// The works on a problem that a grade may rest on. `named` is the book with the names to use. What a group
/// handed in together is one program under all names.
void add_class_programs(Programs& programs, const std::string& problem, const gradebook::Gradebook& from,
                        const gradebook::Book& named, const coursework::Assignment& assignment);

/// Submissions from elsewhere, in a gradebook or a folder. Without names they are numbered.
class EarlierPrograms {
  public:
    /// Throws model::UsageError for a path that is neither.
    EarlierPrograms(const std::filesystem::path& path, const std::vector<model::Problem>& problems,
                    bool named);

    void add_to(Programs& programs, const std::string& problem) const;

  private:
    struct Work {
        std::string problem;
        std::string name;
        std::vector<model::SourceFile> files;
    };
    void read_gradebook(const std::filesystem::path& file);
    void read_folder(const std::filesystem::path& folder, const std::vector<model::Problem>& problems);

    std::vector<Work> works_;
};

} // namespace teaching
