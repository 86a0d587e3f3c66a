#include "emulator/rewrite.h"

#include "emulator/device_rules.h"
#include "emulator/launch_syntax.h"
#include "reader/outline.h"
#include "reader/tokens.h"

#include <algorithm>

namespace emulator {

namespace {

std::string in_quotes(std::string_view text) {
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') out += '\\';
        out += c;
    }
    return out + '"';
}

class Rewriter {
  public:
    Rewriter(std::string_view source, std::string_view name)
        : tokens_(reader::tokenize(source)), view_(tokens_), outline_(reader::outline(view_)), name_(name),
          replacement_(tokens_.size()), changed_(tokens_.size()) {}

    Rewritten run() {
        for (const reader::Outline::Function& function : outline_.functions)
            if (function.kernel) enter_kernel(function);
        for (std::size_t i = 0; i < view_.size(); ++i) {
            if (view_.is(i, "<<<")) launch(i);
            if (view_.is(i, "__shared__") && !view_[i].directive) shared(i);
            if (view_.is(i, "__noinline__")) replace(i, "__attribute__((noinline))");
        }
        std::vector<RewriteError> rules = check_device_rules(view_, outline_);
        errors_.insert(errors_.end(), rules.begin(), rules.end());
        std::stable_sort(errors_.begin(), errors_.end(),
                         [](const RewriteError& a, const RewriteError& b) { return a.line < b.line; });
        return {text(), errors_, outline_.kernels};
    }

  private:
    void fail(std::size_t i, std::string message) { errors_.push_back({view_[i].line, std::move(message)}); }

    void replace(std::size_t i, std::string text) {
        replacement_[view_.position(i)] = std::move(text);
        changed_[view_.position(i)] = true;
    }

    /// Removes significant tokens; the blanks between them stay, and with them the lines.
    void remove(std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
            replace(i, "");
    }

    /// Source of tokens [begin, end) on one line.
    std::string flat(std::size_t begin, std::size_t end) const {
        std::string out;
        for (std::size_t i = begin; i < end; ++i) {
            const bool spaced = i > begin && view_.position(i) > view_.position(i - 1) + 1;
            if (spaced) out += ' ';
            out += view_[i].text;
        }
        return out;
    }

    void enter_kernel(const reader::Outline::Function& function) {
        std::string bounds = "1024u";
        if (function.bounds != reader::no_token) {
            const std::size_t begin = function.bounds + 1;
            std::size_t end = begin;
            while (end < view_.skip(function.bounds) && !view_.is(end, ","))
                end = view_.skip(end) + 1;
            bounds = "static_cast<unsigned int>(" + flat(begin, end) + ")";
        }
        replace(function.open, "{ ::cuda_emulator::enter_kernel(" + in_quotes(function.name) + ", " + bounds +
                                   ", __LINE__);");
    }

    void launch(std::size_t i) {
        const std::size_t callee = callee_begin(view_, i);
        if (callee == reader::no_token) return fail(i, "<<< must follow the name of a kernel.");
        int commas = 0;
        const std::size_t end = configuration_end(view_, i + 1, &commas);
        if (end == reader::no_token) return fail(i, "This <<< has no matching >>>.");
        if (commas < 1) return fail(i, "A launch needs a grid and a block: kernel<<<grid, block>>>(...).");
        if (!view_.is(end + 3, "("))
            return fail(i, "A launch ends with its arguments: kernel<<<grid, block>>>(...).");
        const std::string kernel = flat(callee, i);
        remove(callee, i);
        replace(i, "::cuda_emulator::Launch(" + in_quotes(kernel) + ", ");
        replace(end, ").with([=](const auto&... cuda_emulator_arguments) { " + kernel +
                         "(cuda_emulator_arguments...); })");
        remove(end + 1, end + 3);
    }

    std::size_t statement_begin(std::size_t i) const {
        while (i > 0 && !view_.is(i - 1, ";") && !view_.is(i - 1, "{") && !view_.is(i - 1, "}") &&
               !view_[i - 1].directive)
            --i;
        return i;
    }

    std::size_t statement_end(std::size_t i) const {
        for (; i < view_.size(); ++i) {
            if (view_.is(i, ";")) return i;
            if (view_.is(i, "}") || view_.is(i, ")")) return reader::no_token;
            i = view_.skip(i);
        }
        return reader::no_token;
    }

    struct Declarator {
        std::size_t begin = 0, end = 0, name = reader::no_token;
    };

    /// What a declaration declares, one by one. Empty, after an error, if a variable has an initial value.
    std::vector<Declarator> declarators(std::size_t begin, std::size_t end) {
        std::vector<Declarator> found;
        Declarator current{begin, end, reader::no_token};
        bool sized = false; // behind a [, only sizes follow
        for (std::size_t i = begin; i <= end; ++i) {
            if (i == end || view_.is(i, ",")) {
                if (current.name == reader::no_token) break;
                current.end = i;
                found.push_back(current);
                current = {i + 1, end, reader::no_token};
                sized = false;
            } else if (initializes(i, current.name)) {
                fail(i, "A __shared__ variable cannot have an initial value: assign to it, then "
                        "__syncthreads().");
                return {};
            } else if (view_.is(i, "[")) {
                sized = true;
                i = view_.skip(i);
            } else if (view_.is(i, "{") || view_.is(i, "(")) {
                i = view_.skip(i);
            } else if (view_.is(i, "<") && view_.close_angle(i) != reader::no_token) {
                i = view_.close_angle(i);
            } else if (view_.is_identifier(i) && !sized) {
                current.name = i;
            }
        }
        return found;
    }

    bool initializes(std::size_t i, std::size_t name) const {
        if (view_.is(i, "=") || (view_.is(i, "{") && view_.is(i + 1, "}"))) return true;
        return view_.is(i, "(") && name != reader::no_token && !view_.is(i - 1, "__align__") &&
               !view_.is(i - 1, "alignas") && !view_.is(i - 1, "__attribute__") &&
               !view_.is(i - 1, "decltype");
    }

    bool in_specifiers(std::size_t begin, std::size_t end, std::string_view word) const {
        for (std::size_t i = begin; i < end; ++i)
            if (view_.is(i, word)) return true;
        return false;
    }

    void shared(std::size_t i) {
        const std::size_t begin = statement_begin(i), end = statement_end(i);
        if (end == reader::no_token) return fail(i, "This __shared__ declaration has no end.");
        const bool file_scope = outline_.at_file_scope[i];
        if (in_specifiers(begin, end, "extern")) return dynamic_shared(begin, end, file_scope);
        if (file_scope) return fail(i, "Declare a __shared__ variable inside the kernel that uses it.");
        const std::vector<Declarator> declared = declarators(begin, end);
        if (declared.empty()) return;
        // The first declarator begins behind the type that all of them share.
        std::size_t first = declared.front().name;
        while (first > begin && (view_.is(first - 1, "*") || view_.is(first - 1, "&")))
            --first;
        std::string type;
        for (std::size_t t = begin; t < first; ++t)
            if (!view_.is(t, "__shared__") && !view_.is(t, "static"))
                type += std::string(view_[t].text) + " ";
        std::string text;
        for (const Declarator& d : declared) {
            const std::string name(view_[d.name].text),
                id = "cuda_emulator_shared_" + std::to_string(++shared_count_);
            text += "struct " + id + " { " + type + flat(std::max(first, d.begin), d.end) +
                    "; }; [[maybe_unused]] auto& " + name + " = ::cuda_emulator::shared<" + id + ">(" +
                    in_quotes(name) + ")." + name + "; ";
        }
        remove(begin, end);
        replace(end, text);
    }

    void dynamic_shared(std::size_t begin, std::size_t end, bool file_scope) {
        const bool array = end >= begin + 4 && view_.is(end - 1, "]") && view_.is(end - 2, "[") &&
                           view_.is_identifier(end - 3);
        if (!array)
            return fail(
                begin,
                "Dynamic shared memory is declared as one array without size: extern __shared__ T name[];");
        const std::size_t name = end - 3;
        std::string type;
        for (std::size_t t = begin; t < name; ++t) {
            if (view_.is(t, "alignas") || view_.is(t, "__align__") || view_.is(t, "__attribute__")) {
                t = view_.skip(t + 1);
                continue;
            }
            if (view_.is(t, "extern") || view_.is(t, "__shared__")) continue;
            if (view_.is(t, ",")) return fail(t, "Declare one extern __shared__ array at a time.");
            type += std::string(view_[t].text) + " ";
        }
        remove(begin, end);
        replace(end, std::string("[[maybe_unused]] ") + (file_scope ? "static auto& " : "auto& ") +
                         std::string(view_[name].text) + " = ::cuda_emulator::dynamic_shared<" + type +
                         ">();");
    }

    std::string text() const {
        std::string out = "#line 1 " + in_quotes(name_) + "\n";
        for (std::size_t i = 0; i < tokens_.size(); ++i) {
            if (changed_[i])
                out += replacement_[i];
            else
                out += tokens_[i].text;
        }
        return out;
    }

    std::vector<reader::Token> tokens_;
    reader::TokenView view_;
    reader::Outline outline_;
    std::string name_;
    std::vector<std::string> replacement_; ///< of the tokens that changed
    std::vector<bool> changed_;
    std::vector<RewriteError> errors_;
    int shared_count_ = 0;
};

} // namespace

Rewritten rewrite(std::string_view source, std::string_view name) {
    return Rewriter(source, name).run();
}

} // namespace emulator
