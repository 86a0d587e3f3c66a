#pragma once

#include "model/judgement.h"
#include "terminal/capabilities.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace app {

/// A report that was asked for.
struct ReportOption {
    std::string format;
    std::string output; ///< a file; stdout where it is empty or "-"
};

/// What the command line says; each command reads what concerns it.
struct Options {
    std::vector<std::string> ids; ///< problem ids as typed
    std::string content;          ///< a collection to use besides
    std::string from;
    bool record = false; ///< keep the attempt of a submission from elsewhere, too
    std::vector<ReportOption> reports;
    std::optional<std::uint64_t> seed;
    std::optional<model::IsolationLevel> require_isolation;
    model::Device device = model::Device::automatic;
    terminal::ColourChoice colour = terminal::ColourChoice::automatic;
    bool plain = false;
    bool verbose = false;
    std::string log_level = "warning"; ///< of what is said on stderr
    std::string log_file;              ///< gets everything; empty: none
    bool timings = false;
    bool cuda = false;                  ///< new
    bool mutants = true;                ///< verify
    bool witnesses = false;             ///< verify: nothing else
    bool accept = false;                ///< verify
    std::optional<std::uint64_t> seeds; ///< verify: how many more
    bool all = false;                   ///< prepare: every problem; hint: every one seen
    bool system = false;                ///< prepare: for all users
    bool exit_zero = false;
    bool thorough = false;                     ///< submit-build: every call that the suites know
    bool questions = true;                     ///< submit-build: offer them on a terminal
    std::string answers;                       ///< submit-justification: a file of them
    bool print = false;                        ///< submit-justification
    bool known = false;                        ///< harden: hand out one of the problem's mistakes
    bool anew = false;                         ///< harden: another one, whatever became of the last
    std::string mistake;                       ///< its name
    bool write_test = false;                   ///< harden
    std::vector<std::string> program;          ///< try: files
    std::vector<std::string> includes;         ///< try: folders
    std::optional<std::chrono::seconds> limit; ///< try
    std::string text;                          ///< visualize: what to learn from
    std::optional<std::string> demo;           ///< try: one of the course's; empty: which there are
    std::optional<std::string> vocabulary;     ///< try: a file, or a folder of two
    std::string test;                          ///< debug: its name
    std::string report;                        ///< replay: a file
    bool edit = false;                         ///< mistake
    std::string shell;                         ///< completion
    std::vector<std::string> hint;             ///< hint: problem, number
    bool task = false;                         ///< show
    std::string section;                       ///< show
    std::string topic;                         ///< help: a command
    std::string folder;                        ///< init
    std::vector<std::string> submissions;      ///< grade: folders
    std::string roster;                        ///< grade: a file
    std::string assignment;                    ///< grade: a file
    std::vector<ReportOption> exports;         ///< grade
    std::string pseudonyms;                    ///< grade, similarity: a file
    std::vector<std::string> earlier;          ///< similarity: folders and gradebooks
    std::string page;                          ///< similarity: a file
    std::string gradebook;                     ///< grade, regrade, similarity: a file
    bool apply = false;                        ///< regrade
    std::string student;                       ///< regrade: whose grade is set by hand
    std::optional<double> percent;             ///< regrade: to what
    std::string who;                           ///< regrade: by whom
    std::string why;                           ///< regrade
    bool slurm = false;                        ///< grade, regrade: judge on a cluster
    std::string partition;                     ///< grade, regrade: of the cluster
    std::string gpu_partition;                 ///< grade, regrade: of the cluster, for work that needs a GPU
    std::optional<std::size_t> task_number;    ///< grade-task
    std::optional<unsigned> jobs;              ///< grade, regrade: judgements at a time
};

} // namespace app
