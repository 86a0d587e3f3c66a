#include "diff/patch.h"

#include "diff/lines.h"
#include "model/errors.h"

#include <charconv>
#include <filesystem>

namespace diff {
namespace {

constexpr std::string_view base_mark = "--- ";
constexpr std::string_view changed_mark = "+++ ";
constexpr std::string_view hunk_mark = "@@ -";

std::string shortened(std::string_view line) {
    constexpr std::size_t max_shown = 60;
    if (line.ends_with('\n')) line.remove_suffix(1);
    if (line.size() <= max_shown) return "\"" + std::string(line) + "\"";
    std::size_t end = max_shown;
    while ((static_cast<unsigned char>(line[end]) & 0xc0U) == 0x80U)
        --end; // the rest of a character
    return "\"" + std::string(line.substr(0, end)) + "…\"";
}

[[noreturn]] void fail(const std::string& file, std::size_t line, const std::string& what) {
    throw model::ContentError(file, "line " + std::to_string(line) + ":", what);
}

/// The start and the count of one side of a hunk.
struct Range {
    std::size_t start = 0;
    std::size_t count = 1;

    std::size_t before() const { return count == 0 ? start : start - 1; }
};

class Reader {
  public:
    Reader(std::string_view text, const std::string& file, std::size_t line)
        : lines_(lines_of(text)), file_(file), first_(line) {}

    Patch read() {
        Patch patch{file_, number(), {}, {}, {}};
        patch.base = name(base_mark);
        patch.changed = name(changed_mark);
        if (done()) wrong("the diff ends without a hunk");
        std::size_t base_at = 0, changed_at = 0; // lines that the hunks so far have gone through
        while (!done())
            patch.hunks.push_back(hunk(base_at, changed_at));
        return patch;
    }

  private:
    bool done() const { return next_ == lines_.size(); }
    std::size_t number() const { return first_ + next_; }
    [[noreturn]] void wrong(const std::string& what) const { fail(file_, number(), what); }

    /// The line that is looked at, without its end.
    std::string_view line() const {
        std::string_view text = lines_[next_];
        if (text.ends_with('\n')) text.remove_suffix(1);
        if (text.ends_with('\r')) wrong("the line ends with CR LF; a diff has LF alone");
        return text;
    }

    std::string name(std::string_view mark) {
        if (done() || !line().starts_with(mark))
            wrong("must be \"" + std::string(mark) + "\" and a file's name");
        std::string name(line().substr(mark.size()));
        const std::filesystem::path path(name);
        if (path.is_absolute()) wrong("the name must not be absolute (got " + shortened(name) + ")");
        for (const std::filesystem::path& part : path)
            if (part == "..") wrong("the name must not lead upwards (got " + shortened(name) + ")");
        if (name.empty() || path.lexically_normal() != path || name.find('\t') != std::string::npos)
            wrong("must be a plain name, with nothing after it (got " + shortened(name) + ")");
        ++next_;
        return name;
    }

    /// "12,3" or "12", up to `end`, which is taken off too.
    Range range(std::string_view& text, std::string_view end) const {
        Range range;
        const auto take = [&](std::size_t& value) {
            const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
            if (error != std::errc{} || value > 1'000'000'000) malformed();
            text.remove_prefix(static_cast<std::size_t>(rest - text.data()));
        };
        take(range.start);
        if (text.starts_with(',')) {
            text.remove_prefix(1);
            take(range.count);
        }
        if (!text.starts_with(end) || (range.count > 0 && range.start == 0)) malformed();
        text.remove_prefix(end.size());
        return range;
    }
    [[noreturn]] void malformed() const { wrong("must be \"@@ -line,count +line,count @@\""); }

    Hunk hunk(std::size_t& base_at, std::size_t& changed_at) {
        std::string_view header = line();
        if (!header.starts_with(hunk_mark)) wrong("belongs to no hunk: the one before it is complete");
        header.remove_prefix(hunk_mark.size());
        const Range base = range(header, " +");
        const Range changed = range(header, " @@");
        if (base.before() < base_at) wrong("the hunk begins before the one above it ends");
        if (changed.before() != changed_at + base.before() - base_at)
            wrong("the hunk's second line number must be " +
                  std::to_string(changed_at + base.before() - base_at + (changed.count > 0 ? 1U : 0U)));
        base_at = base.before() + base.count;
        changed_at = changed.before() + changed.count;
        const std::size_t header_line = number();
        ++next_;
        Hunk hunk{base.before(), edits(base.count, changed.count, header_line)};
        for (const Edit& edit : hunk.edits)
            if (edit.sign != ' ') return hunk;
        fail(file_, header_line, "the hunk changes nothing");
    }

    std::vector<Edit> edits(std::size_t from_base, std::size_t from_changed, std::size_t header_line) {
        std::vector<Edit> edits;
        while (from_base > 0 || from_changed > 0 || (!done() && line().starts_with('\\'))) {
            if (done() || line().starts_with(hunk_mark))
                fail(file_, header_line,
                     "the hunk has fewer lines than it counts: " + std::to_string(from_base) +
                         " of the base and " + std::to_string(from_changed) + " of the result are missing");
            if (line().starts_with('\\')) {
                drop_line_end(edits);
                continue;
            }
            const char sign = line().empty() ? ' ' : line().front();
            if (sign != ' ' && sign != '-' && sign != '+')
                wrong("must begin with a blank, '-' or '+' (got " + shortened(line()) + ")");
            const bool of_base = sign != '+';
            const bool of_changed = sign != '-';
            if ((of_base && from_base == 0) || (of_changed && from_changed == 0))
                wrong("is one more than the hunk counts in line " + std::to_string(header_line));
            from_base -= of_base ? 1U : 0U;
            from_changed -= of_changed ? 1U : 0U;
            edits.push_back({sign, std::string(line().substr(line().empty() ? 0 : 1)) + "\n", number()});
            ++next_;
        }
        return edits;
    }

    /// "\ No newline at end of file" is about the line before it.
    void drop_line_end(std::vector<Edit>& edits) {
        if (edits.empty() || !edits.back().text.ends_with('\n'))
            wrong("must follow a line of the hunk (got " + shortened(line()) + ")");
        edits.back().text.pop_back();
        ++next_;
    }

    std::vector<std::string_view> lines_;
    const std::string& file_;
    std::size_t first_;
    std::size_t next_ = 0;
};

/// The lines of the base that a hunk keeps or takes away.
std::vector<const Edit*> base_lines(const Hunk& hunk) {
    std::vector<const Edit*> lines;
    for (const Edit& edit : hunk.edits)
        if (edit.sign != '+') lines.push_back(&edit);
    return lines;
}

/// How many of the hunk's lines stand in the base from `at` on, up to the first that differs.
std::size_t matching(const std::vector<const Edit*>& hunk, const std::vector<std::string_view>& base,
                     std::size_t at) {
    std::size_t count = 0;
    while (count < hunk.size() && at + count < base.size() && base[at + count] == hunk[count]->text)
        ++count;
    return count;
}

std::string joined(const std::vector<std::size_t>& places) {
    std::string text;
    for (std::size_t i = 0; i < places.size(); ++i)
        text += (i == 0 ? "" : i + 1 < places.size() ? ", " : " and ") + std::to_string(places[i] + 1);
    return text;
}

/// How many lines of the base come before the hunk: as many as it says where its lines stand there, else as
/// many as come before the only place where they do. At least `from`, where the hunk above ends.
std::size_t place(const Patch& patch, const Hunk& hunk, const std::vector<std::string_view>& base,
                  std::size_t from) {
    const std::vector<const Edit*> lines = base_lines(hunk);
    const std::size_t line = hunk.edits.front().line;
    const std::size_t matched = matching(lines, base, hunk.before);
    if (hunk.before >= from && hunk.before <= base.size() && matched == lines.size()) return hunk.before;

    std::vector<std::size_t> places;
    for (std::size_t at = 0; !lines.empty() && at + lines.size() <= base.size(); ++at)
        if (matching(lines, base, at) == lines.size()) places.push_back(at);
    if (places.size() == 1 && places.front() >= from) return places.front();

    const std::string fails = "the diff does not apply: ";
    if (places.size() == 1)
        fail(patch.file, line,
             fails + "the hunk's lines stand in line " + joined(places) + " of " + patch.base +
                 ", before the end of the hunk above it");
    if (places.size() > 1)
        fail(patch.file, line,
             fails + "the hunk's lines do not stand in line " + std::to_string(hunk.before + 1) + " of " +
                 patch.base + ", but in lines " + joined(places) + "; correct its line number");
    if (hunk.before > base.size())
        fail(patch.file, line, fails + patch.base + " has only " + std::to_string(base.size()) + " lines");
    if (lines.empty()) fail(patch.file, line, fails + "the hunk has no line by which its place can be found");
    const std::size_t differs = hunk.before + matched;
    const std::string where = "line " + std::to_string(differs + 1);
    fail(patch.file, lines[matched]->line,
         fails +
             (differs < base.size()
                  ? where + " of " + patch.base + " must be " + shortened(lines[matched]->text) + " (got " +
                        shortened(base[differs]) + ")"
                  : patch.base + " ends before " + where) +
             ", and the hunk's lines stand nowhere else");
}

} // namespace

Patch parse(std::string_view text, const std::string& file, std::size_t line) {
    return Reader(text, file, line).read();
}

std::string apply(const Patch& patch, std::string_view base) {
    const std::vector<std::string_view> lines = lines_of(base);
    std::string result;
    std::size_t at = 0;
    for (const Hunk& hunk : patch.hunks) {
        const std::size_t begin = place(patch, hunk, lines, at);
        for (; at < begin; ++at)
            result += lines[at];
        for (const Edit& edit : hunk.edits) {
            if (edit.sign != '+') ++at;
            if (edit.sign != '-') {
                if (!result.empty() && !result.ends_with('\n'))
                    fail(patch.file, edit.line, "the line before this one has no line end");
                result += edit.text;
            }
        }
    }
    for (; at < lines.size(); ++at) {
        if (!result.empty() && !result.ends_with('\n'))
            fail(patch.file, patch.hunks.back().edits.back().line,
                 "lines of the base follow, but this has no line end");
        result += lines[at];
    }
    return result;
}

std::size_t find_diff(std::string_view text) {
    if (text.starts_with(base_mark)) return 0;
    const std::size_t at = text.find("\n" + std::string(base_mark));
    return at == std::string_view::npos ? at : at + 1;
}

} // namespace diff
