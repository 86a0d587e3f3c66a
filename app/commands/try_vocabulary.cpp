#include "app/commands/try_vocabulary.h"

#include "app/agreement.h"
#include "app/interrupts.h"
#include "app/own_program.h"
#include "app/submission.h"
#include "app/verify/proof.h"
#include "app/voice.h"
#include "catalogue/source.h"
#include "model/errors.h"
#include "terminal/progress.h"
#include "text/clean.h"

#include <algorithm>
#include <fmt/format.h>
#include <iostream>
#include <map>

namespace app {
namespace {

namespace fs = std::filesystem;
using vocabulary::Vocabulary;

constexpr const char* program_name = "vocabulary.cpp";

/// Ids of the texts are short, but a learner's program may print as well.
constexpr std::uint64_t max_answer_kib = 1 << 10;

catalogue::Source read_file(const Context& context, const fs::path& file) {
    auto text = read_source(file, context.shown(file),
                            "it takes a .tiktoken file, or a folder with vocab.bpe and encoder.json");
    if (const auto* unreadable = std::get_if<Unreadable>(&text))
        throw model::UsageError("cannot read the vocabulary: " + unreadable->why);
    return {context.shown(file), std::get<std::string>(std::move(text))};
}

/// The two files of GPT-2 have two names each: OpenAI's and those of libraries.
fs::path either(const fs::path& folder, const char* name, const char* other) {
    std::error_code error;
    const bool has_other = !fs::exists(folder / name, error) && fs::exists(folder / other, error);
    return folder / (has_other ? other : name);
}

Vocabulary read_vocabulary(const Context& context, const fs::path& path) {
    std::error_code error;
    if (!fs::is_directory(path, error)) return vocabulary::read_tiktoken(read_file(context, path));
    return vocabulary::read_gpt2(read_file(context, either(path, "vocab.bpe", "merges.txt")),
                                 read_file(context, either(path, "encoder.json", "vocab.json")));
}

std::string joined(const std::vector<std::int64_t>& ids) {
    constexpr std::size_t max_ids = 12;
    std::string text;
    for (std::size_t i = 0; i < std::min(ids.size(), max_ids); ++i)
        text += (i == 0 ? "" : " ") + (ids[i] < 0 ? std::string("?") : std::to_string(ids[i]));
    if (ids.size() > max_ids) text += fmt::format(" ... ({} tokens)", ids.size());
    return text.empty() ? "no tokens" : text;
}

/// What is wrong with the answer to one text; nothing where nothing is.
std::string fault(const Encoded& got, const Encoded& want) {
    if (got.ids != want.ids) {
        const auto [one, other] = std::ranges::mismatch(got.ids, want.ids);
        return fmt::format("differs from token {} on\n    yours       {}\n    it should be {}\n",
                           one - got.ids.begin(), joined(got.ids), joined(want.ids));
    }
    if (!got.decoded) return "is not what decode makes of its tokens\n";
    return {};
}

} // namespace

ExitCode try_vocabulary(Context& context) {
    model::Problem problem = context.problem();
    problem.limits.output_kib = max_answer_kib;
    const fs::path file = problem.folder / program_name;
    std::error_code error;
    if (!fs::exists(file, error))
        throw model::UsageError(problem.id + " makes no tokens, and takes no --vocabulary");
    const Vocabulary vocabulary = read_vocabulary(context, *context.options().vocabulary);
    const std::vector<Sample> samples = samples_of(vocabulary);
    const Aside aside{input_of(vocabulary, samples), {}};
    auto read = read_submission(context, problem);
    if (const auto* unreadable = std::get_if<Unreadable>(&read))
        throw model::UsageError("cannot try this: " + unreadable->why);
    auto submission = std::get<model::Submission>(std::move(read));
    const std::map<std::string, std::string> shown{{submission.files.front().name, submission.shown_as}};
    const fs::path root = problem.folder.parent_path().parent_path();
    const model::SourceFile program{program_name, catalogue::read_source(file, root).text};

    const Interrupts interrupts;
    terminal::Progress progress(std::cerr, context.err().is_terminal, context.err().columns);
    const build::Workshop workshop(context.building_layout(), voice_of(context, progress));
    const OwnRun own = run_own_program(workshop, problem, submission, {{program}}, interrupts.fd(), aside);
    if (!own.outcome) {
        progress.clear();
        std::cout << "Your file does not compile.\n\n"
                  << context.fitted(text::printable(errors_of(own.built, shown)));
        return ExitCode::not_accepted;
    }
    const OwnRun right = run_own_program(workshop, problem, verify::reference_of(problem), {{program}},
                                         interrupts.fd(), aside);
    progress.clear();
    const auto wanted = right.outcome ? read_encoded(right.outcome->output, vocabulary) : std::nullopt;
    if (!right.ended_well() || !wanted || wanted->size() != samples.size())
        throw model::ContentError(problem.id + "/" + program_name, "", "does not run with the reference");

    std::cout << fmt::format("{} tokens: 256 bytes, {} merges, {} special token{}{}\n\n",
                             vocabulary.published.size(), vocabulary.merges.size(),
                             vocabulary.specials.size(), vocabulary.specials.size() == 1 ? "" : "s",
                             gives_published(samples, *wanted) ? "; GPT-2's own" : "");
    const auto got = read_encoded(own.outcome->output, vocabulary);
    if (!got) {
        std::cout << context.fitted("make returned no tokenizer: your validate refuses this vocabulary.\n");
        return ExitCode::not_accepted;
    }
    const auto charset = context.out().unicode ? text::Charset::unicode : text::Charset::ascii;
    std::size_t right_ones = 0;
    for (std::size_t i = 0; i < std::min(got->size(), samples.size()); ++i) {
        const std::string words = fault((*got)[i], (*wanted)[i]);
        right_ones += words.empty() ? 1 : 0;
        std::cout << "  " << text::printable(shown_text(samples[i].text), charset) << "  "
                  << (words.empty() ? joined((*got)[i].ids) + "\n" : words);
    }
    std::cout << "\n";
    if (const std::string words = ending(*own.outcome, problem.limits); !words.empty())
        std::cout << context.fitted(words + "\n");
    const bool all = right_ones == samples.size() && own.ended_well();
    std::cout << context.fitted(fmt::format(
        "{} of {} texts have the ids that this vocabulary gives them, and decode to themselves.\n",
        right_ones, samples.size()));
    return all ? ExitCode::accepted : ExitCode::not_accepted;
}

} // namespace app
