#include "emulator/rewrite.h"

#include "emulator/architecture.h"
#include "emulator/device_rules.h"
#include "emulator/edits.h"
#include "emulator/host_variables.h"
#include "emulator/kernel_values.h"
#include "emulator/launch_syntax.h"
#include "emulator/shared_variables.h"
#include "emulator/vector_members.h"
#include "emulator/vector_stores.h"
#include "emulator/waiting_loops.h"
#include "reader/outline.h"
#include "reader/tokens.h"

#include <algorithm>

namespace emulator {

namespace {

/// For many names of a file all of it is searched for their declarations, so that time grows with the square
/// of its length, and this is a second.
constexpr std::size_t max_tokens = 30'000;

class Rewriter {
  public:
    Rewriter(std::string_view source, std::string_view name)
        : source_(source), tokens_(reader::tokenize(source)), view_(tokens_),
          outline_(reader::outline(view_)), name_(name), edits_(tokens_, view_) {}

    Rewritten run() {
        if (view_.size() > max_tokens)
            fail(max_tokens, "This file is too long for the emulator, which reads 30,000 words and signs.");
        else if (outline_.too_deep != reader::no_token)
            fail(outline_.too_deep, "Namespaces and classes are nested too deep here.");
        if (!errors_.empty()) return {std::string(source_), errors_, {}};
        for (const reader::Outline::Function& function : outline_.functions)
            if (function.kernel) enter_kernel(function);
        rewrite_shared_variables(view_, outline_, edits_, errors_);
        rewrite_host_variables(view_, outline_, edits_);
        rewrite_architecture(view_, outline_, edits_);
        rewrite_kernel_values(view_, edits_);
        rewrite_waiting_loops(view_, outline_, edits_);
        rewrite_vector_members(view_, outline_, edits_);
        rewrite_vector_stores(view_, outline_, edits_);
        for (std::size_t i = 0; i < view_.size(); ++i) {
            if (view_.is(i, "<<<")) launch(i);
            if (view_.is(i, "__noinline__")) edits_.replace(i, "__attribute__((noinline))");
        }
        std::vector<RewriteError> rules = check_device_rules(view_, outline_);
        errors_.insert(errors_.end(), rules.begin(), rules.end());
        std::stable_sort(errors_.begin(), errors_.end(),
                         [](const RewriteError& a, const RewriteError& b) { return a.line < b.line; });
        return {"#line 1 " + in_quotes(name_) + "\n" + edits_.text(), errors_, outline_.kernels};
    }

  private:
    void fail(std::size_t i, std::string message) { errors_.push_back({view_[i].line, std::move(message)}); }

    void enter_kernel(const reader::Outline::Function& function) {
        std::string bounds = "1024u";
        if (function.bounds != reader::no_token) {
            const std::size_t begin = function.bounds + 1;
            std::size_t end = begin;
            while (end < view_.skip(function.bounds) && !view_.is(end, ","))
                end = view_.skip(end) + 1;
            bounds = "static_cast<unsigned int>(" + edits_.flat(begin, end) + ")";
        }
        edits_.replace(function.open, "{ ::cuda_emulator::enter_kernel(" + in_quotes(function.name) + ", " +
                                          bounds + ", __LINE__);");
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
        const std::string kernel = edits_.flat(callee, i);
        edits_.remove(callee, i);
        // In a macro the kernel's name may be a parameter, which only the preprocessor can put in quotes.
        const std::string name =
            view_[i].directive ? "CUDA_EMULATOR_TEXT(" + kernel + ")" : in_quotes(kernel);
        edits_.replace(i, "::cuda_emulator::Launch(" + name + ", ");
        // Which function is meant may follow from its name, or from the arguments alone.
        edits_.replace(end, ").with([=](auto cuda_emulator_probe) -> decltype(cuda_emulator_probe(" + kernel +
                                ")) { return cuda_emulator_probe(" + kernel +
                                "); }, [=](auto&... cuda_emulator_arguments) { " + kernel +
                                "(cuda_emulator_arguments...); })");
        edits_.remove(end + 1, end + 3);
    }

    std::string_view source_;
    std::vector<reader::Token> tokens_;
    reader::TokenView view_;
    reader::Outline outline_;
    std::string name_;
    Edits edits_;
    std::vector<RewriteError> errors_;
};

} // namespace

Rewritten rewrite(std::string_view source, std::string_view name) {
    return Rewriter(source, name).run();
}

} // namespace emulator
