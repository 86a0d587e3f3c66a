#include "diagnosis/compute_sanitizer.h"

#include "diagnosis/compute_sanitizer_kinds.h"
#include "diagnosis/report_text.h"
#include "text/clean.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>

// The format, as NVIDIA's manual shows it for the releases of CUDA 11 to 13, and as 2025.3.1 wrote it on an
// H200. Each line of the tool's begins with nine signs of equality. A record begins with what happened:
//
//     ========= Invalid __global__ write of size 4 bytes
//     =========     at kernel(int *)+0x70 in lookup.cu:12            older: at 0x70 in
//     lookup.cu:12:kernel(int *)
//     =========     by thread (0,0,0) in block (0,0,0)
//     =========     Address 0x7f6510c00001 is misaligned
//     =========     Device Frame: kernel(int *)+0x30 in lookup.cu:44
//     ========= Stack overflow
//     =========     at [clone kernel(int *)] deeper(int)+0xf0 in lookup.cu:10
//     ========= Error: Race reported between Write access at kernel(int *)+0x90 in lookup.cu:41
//     =========     and Read access at kernel(int *)+0x100 in lookup.cu:51 [508 hazards]
//     ========= ERROR SUMMARY: 2 errors
namespace diagnosis {
namespace {

using model::FindingKind;

constexpr std::size_t max_text = 1 << 20;
constexpr std::size_t longest_line = 2048;
constexpr std::size_t longest_words = 300;
constexpr std::size_t max_findings = 16;

/// The next line of `text`, which is taken away from it.
std::string_view take_line(std::string_view& text) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, std::min(end, longest_line));
    text.remove_prefix(std::min(end + 1, text.size()));
    return line;
}

std::string_view trimmed(std::string_view words) {
    constexpr std::string_view blank = " \t\r";
    const std::size_t begin = std::min(words.find_first_not_of(blank), words.size());
    words.remove_prefix(begin);
    return words.substr(0, words.find_last_not_of(blank) + 1);
}

std::string shown(std::string_view words) {
    return text::cleaned(without_addresses(words.substr(0, longest_words)), text::Lines::show);
}

/// The number at the beginning, with commas between its thousands or without; nothing where there is none.
std::optional<std::uint64_t> number(std::string_view words) {
    std::string digits;
    for (const char sign : words.substr(0, words.find_first_not_of("0123456789,")))
        if (sign != ',') digits += sign;
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (digits.empty() || error != std::errc{}) return std::nullopt;
    return value;
}

bool begins_with_any(std::string_view words, std::initializer_list<std::string_view> beginnings) {
    return std::ranges::any_of(beginnings, [&](std::string_view each) { return words.starts_with(each); });
}

/// Takes "Error: " or "WARNING: (…) " away. True for what the tool calls less than an error.
bool take_severity(std::string_view& words) {
    for (const std::string_view severity : {"Error: ", "ERROR: "})
        if (words.starts_with(severity)) words.remove_prefix(severity.size());
    for (const std::string_view severity : {"Warning: ", "WARNING: ", "Info: ", "INFO: "})
        if (words.starts_with(severity)) return words.remove_prefix(severity.size()), true;
    return false;
}

class Reader {
  public:
    explicit Reader(const std::vector<std::string>& files) : files_(files) {}

    void read(std::string_view words) {
        if (words.empty() || words == "COMPUTE-SANITIZER") return end_record();
        if (summarise(words) || detail(words)) return;
        end_record();
        if (begin_record(words)) return;
        ++report_.ignored;
        skip_record();
    }

    ComputeSanitizerReport take() {
        end_record();
        return std::move(report_);
    }

  private:
    struct Record {
        FindingKind kind{};
        std::string words;
        std::string file;
        int line = 0;
        std::string where; ///< thread and kernel
        std::string other; ///< of a race
        std::vector<std::string> details;
        bool is_consequence = false; ///< a failed call tells no more than the access that made it fail
    };

    bool summarise(std::string_view words) {
        constexpr std::string_view errors = "ERROR SUMMARY: ";
        constexpr std::string_view races = "RACECHECK SUMMARY: ";
        if (words.starts_with("LEAK SUMMARY: ")) return true;
        if (words.starts_with(errors))
            words.remove_prefix(errors.size());
        else if (words.starts_with(races) && words.find('(') != std::string_view::npos)
            words.remove_prefix(words.find('(') + 1);
        else
            return false;
        end_record();
        if (const auto count = number(words))
            report_.errors = count; // the last one is the tool's own
        else
            ++report_.ignored;
        return true;
    }

    bool begin_record(std::string_view words) {
        const std::string_view whole = words;
        const bool is_warning = take_severity(words);
        if (is_warning) return skip_record();
        if (const auto kind = kind_of_record(words)) return begin(*kind, words);
        if (words.starts_with("Race reported between ") || words.starts_with("Potential "))
            return begin_race(words);
        constexpr std::string_view hit = "Program hit ";
        if (words.starts_with(hit)) {
            const auto kind = kind_of_call(words.substr(hit.size()));
            if (!kind) return ++report_.harmless, skip_record();
            begin(*kind, words);
            record_->is_consequence =
                *kind != FindingKind::launch_refused && *kind != FindingKind::invalid_free;
            return true;
        }
        if (words.starts_with("Leaked ") || words.starts_with("Host API "))
            return ++report_.harmless, skip_record();
        if (words.size() < whole.size() || // an error of none of these kinds is the tool's own
            begins_with_any(words, {"Unable to ", "Internal ", "Target application ", "No attachable process",
                                    "Device not supported", "Failed to "})) {
            if (report_.trouble.empty()) report_.trouble = shown(words);
            return skip_record();
        }
        return false;
    }

    bool skip_record() {
        skipping_ = true;
        return true;
    }

    bool begin(FindingKind kind, std::string_view words) {
        record_ = Record{.kind = kind, .words = shown(words)};
        return true;
    }

    /// "Race reported between Write access at f()+0x90 in f.cu:41", and the other access on this line or the
    /// next.
    bool begin_race(std::string_view words) {
        const std::size_t at = words.find(" access at ");
        const std::size_t other = words.find(" and ", at == std::string_view::npos ? 0 : at);
        constexpr std::size_t access = std::string_view(" access").size();
        begin(FindingKind::race_in_block, words.substr(0, at == std::string_view::npos ? at : at + access));
        if (at == std::string_view::npos) return true;
        set_place(words.substr(at, other - at));
        if (other != std::string_view::npos) add_other(words.substr(other + 1));
        return true;
    }

    /// A line that belongs to the record before it.
    bool detail(std::string_view words) {
        if (!record_ && !skipping_) return false;
        constexpr std::string_view frame = "Device Frame:";
        const bool is_place = words.starts_with("at ");
        const bool is_frame = words.starts_with(frame);
        const bool is_thread = words.starts_with("by thread ");
        const bool is_access = begins_with_any(words, {"Address ", "Access ", "and is "});
        const bool is_race =
            begins_with_any(words, {"and Read access ", "and Write access ", "and Atomic access "});
        const bool is_hazard = begins_with_any(words, {"Write Thread ", "Read Thread ", "Atomic Thread "});
        const bool is_noise =
            begins_with_any(words, {"Saved host backtrace", "Host Frame", "Current Value", "in ",
                                    "Uninitialized access to "}); // of a copy that the host asked for
        if (!(is_place || is_frame || is_thread || is_access || is_race || is_hazard || is_noise))
            return false;
        if (!record_ || is_noise) return true;
        if (is_place || (is_frame && record_->line == 0)) set_place(words);
        if (is_thread) record_->where = shown(words.substr(std::string_view("by ").size()));
        if (is_access) add_access(words);
        if (is_race) add_other(words);
        if (is_hazard) record_->line == 0 ? set_place(words) : add_other(words);
        return true;
    }

    std::pair<std::string, int> place_in(std::string_view words) const {
        for (const std::string& file : files_)
            if (const int line = line_after(words, file); line > 0) return {file, line};
        return {"", 0};
    }

    void set_place(std::string_view words) {
        if (record_->line == 0) std::tie(record_->file, record_->line) = place_in(words);
    }

    /// "and Read access at f()+0x100 in f.cu:51", or "Read Thread (1,0,0) at f()+0x2f0 in f.cu:51".
    void add_other(std::string_view words) {
        const auto [file, line] = place_in(words);
        if (line <= 0 || !record_->other.empty()) return;
        if (words.starts_with("and ")) words.remove_prefix(std::string_view("and ").size());
        record_->other =
            fmt::format("and {} access at {}:{}", shown(words.substr(0, words.find(' '))), file, line);
    }

    /// "and is 140,388,396,433,408 bytes before the nearest allocation" says nothing of the mistake.
    static bool is_far(std::string_view words) {
        constexpr std::string_view begin = "and is ";
        constexpr std::uint64_t near = 1 << 20;
        return words.starts_with(begin) && number(words.substr(begin.size())).value_or(0) > near;
    }

    void add_access(std::string_view words) {
        if (words.find("misaligned") != std::string_view::npos) record_->kind = FindingKind::misaligned;
        if (words.find("use-after-free") != std::string_view::npos)
            record_->kind = FindingKind::use_after_free;
        constexpr std::size_t max_details = 3;
        if (record_->details.size() < max_details && !is_far(words)) record_->details.push_back(shown(words));
    }

    void end_record() {
        skipping_ = false;
        if (!record_) return;
        Record record = std::move(*record_);
        record_.reset();
        if (record.is_consequence && !report_.findings.empty()) return;
        const auto is_known = [&](const model::SanitizerFinding& known) {
            return known.kind == decltype(known.kind)(record.kind) && known.file == record.file &&
                   known.line == record.line;
        };
        if (report_.findings.size() >= max_findings || std::ranges::any_of(report_.findings, is_known))
            return;
        model::SanitizerFinding finding;
        finding.kind = record.kind;
        finding.file = record.file;
        finding.line = record.line;
        finding.text = record.words;
        for (const std::string& detail : record.details)
            finding.text += "\n" + detail;
        if (!record.where.empty()) finding.text += "\nseen in " + record.where;
        if (!record.other.empty()) finding.text += "\n" + record.other;
        report_.findings.push_back(std::move(finding));
    }

    const std::vector<std::string>& files_;
    ComputeSanitizerReport report_;
    std::optional<Record> record_;
    bool skipping_ = false; ///< the lines of a record that is none of a kernel's
};

} // namespace

ComputeSanitizerReport read_compute_sanitizer(std::string_view text, const std::vector<std::string>& files) {
    constexpr std::string_view prefix = "=========";
    text = text.substr(0, max_text);
    Reader reader(files);
    while (!text.empty())
        if (const std::string_view line = take_line(text); line.starts_with(prefix))
            reader.read(trimmed(line.substr(prefix.size())));
    return reader.take();
}

} // namespace diagnosis
