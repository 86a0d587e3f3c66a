#include "emulator/device_rules.h"

#include "emulator/device_library.h"
#include "reader/own_names.h"

#include <algorithm>
#include <initializer_list>
#include <map>
#include <set>

namespace emulator {

namespace {

struct Word {
    std::string_view word, message;
    bool function = false; ///< no keyword: a source may give the name to something of its own
};

constexpr Word not_in_device_code[] = {
    {"new", "Device code cannot allocate here: allocate with cudaMalloc before the launch."},
    {"delete", "Device code cannot free memory here: use cudaFree after the launch."},
    {"malloc", "Device code cannot allocate here: allocate with cudaMalloc before the launch.", true},
    {"free", "Device code cannot free memory here: use cudaFree after the launch.", true},
    {"throw", "Device code cannot throw: write an error code to memory."},
    {"try", "Device code cannot catch exceptions."},
    {"asm", "The emulator does not run inline PTX: write it in CUDA C++."},
    {"__asm__", "The emulator does not run inline PTX: write it in CUDA C++."},
    {"dynamic_cast", "Device code has no run-time type information."},
    {"typeid", "Device code has no run-time type information."},
};

/// Functions of the C library that a host has; the names may be given to anything else.
constexpr Word calls_of_the_host[] = {
    {"rand",
     "rand belongs to the host: device code needs a generator of its own, such as a hash of a counter."},
    {"fopen", "fopen belongs to the host: device code has no files."},
    {"fprintf", "fprintf belongs to the host: device code has printf."},
    {"puts", "puts belongs to the host: device code has printf."},
    {"time", "time belongs to the host: device code has clock64."},
    {"getenv", "getenv belongs to the host: pass what it says as an argument."},
    {"exit", "exit belongs to the host: return from the kernel, and write to memory what went wrong."},
};

class Rules {
  public:
    Rules(const reader::TokenView& tokens, const reader::Outline& outline)
        : tokens_(tokens), outline_(outline) {
        for (const reader::Outline::Function& f : outline.functions) {
            if (f.immediate) continue; // which device code may call, too
            if (f.member)
                (f.device ? device_members_ : host_members_).insert(f.name);
            else
                (f.device ? device_ : host_).insert(f.name);
        }
        for (const reader::Outline::Variable& v : outline.variables) {
            if (!v.device && !(v.constant && !v.array)) host_variables_.try_emplace(v.name, v.at);
            if (v.read_only) read_only_.try_emplace(v.name, v);
        }
    }

    std::vector<RewriteError> run() {
        for (const reader::Outline::Function& f : outline_.functions) {
            for (std::size_t i = f.open + 1; i < f.close; ++i) {
                if (f.device) check_device(i);
                check_lambda(i);
                check_call_of_kernel(i);
            }
            if (f.kernel) check_kernel(f);
        }
        return std::move(errors_);
    }

  private:
    void fail(std::size_t i, std::string message) {
        errors_.push_back({tokens_[i].line, std::move(message)});
    }

    void check_kernel(const reader::Outline::Function& kernel) {
        for (std::size_t i = kernel.declared; i < kernel.open; ++i) {
            check_library(i);
            if (tokens_.is(i, "...") && tokens_.is(i - 1, ","))
                fail(i, "A kernel has parameters that are known: make it a template to take any.");
            // Behind a macro nobody knows what is there.
            const bool is_name = tokens_.is(i, kernel.name) && tokens_.is(i + 1, "(");
            if (is_name && is_one_of(i - 1, {"int", "unsigned", "long", "bool", "float", "double"}))
                fail(i, kernel.name + " is a kernel, which returns nothing: declare it void, and write "
                                      "results to memory.");
        }
        if (kernel.member)
            fail(kernel.declared, kernel.name + " is a kernel, which cannot be a member function: declare it "
                                                "outside, and pass it what it needs.");
    }

    bool is_one_of(std::size_t i, std::initializer_list<std::string_view> all) const {
        return std::any_of(all.begin(), all.end(),
                           [&](std::string_view each) { return tokens_.is(i, each); });
    }

    bool is_member(std::size_t i) const { return tokens_.is(i - 1, ".") || tokens_.is(i - 1, "->"); }

    /// The name of a library function that stands for something else here.
    bool means_another(std::size_t i) const {
        if (!tokens_.is(i - 1, "::")) return reader::is_declared(tokens_, i);
        const std::size_t scope = i - 2;
        return i >= 2 && (tokens_.is(scope, ">") || tokens_.is_identifier(scope)) &&
               !tokens_.is(scope, "std");
    }

    /// Behind the template arguments that follow a name, if any do.
    std::size_t behind_arguments(std::size_t name) const {
        if (!tokens_.is(name + 1, "<")) return name + 1;
        const std::size_t close = tokens_.close_angle(name + 1);
        return close == reader::no_token ? name + 1 : close + 1;
    }

    void check_device(std::size_t i) {
        if (tokens_.is(i, "<<<"))
            return fail(i, "A kernel launches a kernel: the emulator has no dynamic parallelism. Launch both "
                           "from the host.");
        if (!tokens_.is_identifier(i)) return;
        if (is_member(i)) return check_member(i);
        for (const Word& rule : not_in_device_code)
            if (tokens_.is(i, rule.word) && !(rule.function && means_another(i)))
                return fail(i, std::string(rule.message));
        for (const Word& rule : calls_of_the_host)
            if (tokens_.is(i, rule.word) && tokens_.is(i + 1, "(") && !means_another(i))
                return fail(i, std::string(rule.message));
        if (check_library(i) || tokens_.is(i - 1, "::")) return;
        const std::string name(tokens_[i].text);
        if (tokens_.is(behind_arguments(i), "(") && host_.contains(name) && !device_.contains(name) &&
            !defines_in_device_code(i))
            return fail(i, name + " is a host function: mark it __device__ to call it from device code.");
        check_constructor(i);
        check_variable(i);
        check_written(i);
    }

    /// A lambda or a variable of the function's own, which hides the host function of that name.
    bool defines_in_device_code(std::size_t i) const {
        return std::any_of(outline_.functions.begin(), outline_.functions.end(), [&](const auto& f) {
            if (!f.device || i <= f.open || i >= f.close) return false;
            for (std::size_t at = f.open; at < i; ++at)
                if (tokens_.is(at, tokens_[i].text) && tokens_.is(at + 1, "=")) return true;
            return false;
        });
    }

    bool check_library(std::size_t i) {
        if (i < 2 || !tokens_.is_identifier(i) || !tokens_.is(i - 1, "::") || !tokens_.is(i - 2, "std") ||
            (tokens_.is(i - 3, "::") && tokens_.is_identifier(i - 4)))
            return false;
        std::size_t next = behind_arguments(i);
        bool called = tokens_.is(next, "(") || (tokens_.is(next, "{") && next > i + 1);
        if (tokens_.is(i, "numeric_limits")) { // its constants are compiled in, its functions are not
            called = tokens_.is(next, "::") && tokens_.is(next + 2, "(");
            if (!called) return true;
        }
        const std::string message = host_only(tokens_[i].text, called);
        if (!message.empty()) fail(i, message);
        return true;
    }

    void check_member(std::size_t i) {
        const std::string name(tokens_[i].text);
        if (tokens_.is(behind_arguments(i), "(") && host_members_.contains(name) &&
            !device_members_.contains(name))
            fail(i,
                 name + " is a member function of the host: mark it __device__ to call it from device code.");
    }

    void check_constructor(std::size_t i) {
        const std::string name(tokens_[i].text);
        if (!host_members_.contains(name) || device_members_.contains(name)) return;
        const std::size_t behind = tokens_.is_identifier(i + 1) ? i + 2 : i + 1;
        if (tokens_.is(behind, "(") || tokens_.is(behind, "{"))
            fail(i, "The constructor of " + name + " is a host function: mark it __device__.");
    }

    void check_variable(std::size_t i) {
        const auto variable = host_variables_.find(std::string(tokens_[i].text));
        if (variable == host_variables_.end()) return;
        if (tokens_.is(i - 1, "(") && (tokens_.is(i - 2, "sizeof") || tokens_.is(i - 2, "decltype"))) return;
        if (reader::is_hidden(tokens_, i, variable->second)) return;
        fail(i, variable->first + " is a variable of the host: device code cannot read it. Pass it as an "
                                  "argument, or declare it __constant__ or __device__.");
    }

    /// A variable that is __constant__, or an element or a member of it, on the left of an assignment. Behind
    /// a member's brackets may be what the member points to.
    void check_written(std::size_t i) {
        const auto variable = read_only_.find(std::string(tokens_[i].text));
        if (variable == read_only_.end() || reader::is_hidden(tokens_, i, variable->second.at)) return;
        std::size_t behind = i + 1;
        while (variable->second.array && tokens_.is(behind, "["))
            behind = tokens_.skip(behind) + 1;
        while (tokens_.is(behind, "."))
            behind += 2;
        const bool is_whole = !is_one_of(behind, {"[", "->", "("});
        if (is_one_of(behind, {"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", "++", "--"}) ||
            (is_whole && is_one_of(i - 1, {"++", "--"})))
            fail(i, variable->first + " is __constant__: device code cannot write it. The host does, with "
                                      "cudaMemcpyToSymbolAsync.");
    }

    void check_lambda(std::size_t i) {
        const bool behind_captures = tokens_.is(i - 1, "]") && !tokens_.is(i - 2, "]"); // of no attribute
        if (behind_captures && (tokens_.is(i, "__device__") || tokens_.is(i, "__host__")))
            fail(i, "A lambda cannot be marked " + std::string(tokens_[i].text) +
                        " (nvcc takes it only with --extended-lambda): in device code it needs no mark; to "
                        "pass one to a kernel, pass a struct with an operator() instead.");
    }

    void check_call_of_kernel(std::size_t i) {
        if (!tokens_.is_identifier(i) || is_member(i)) return;
        const std::string name(tokens_[i].text);
        const auto& kernels = outline_.kernels;
        if (std::find(kernels.begin(), kernels.end(), name) == kernels.end()) return;
        // A function of the host may have a kernel's name; then the call is refused only if it is the
        // kernel's.
        if (host_.contains(name) || device_members_.contains(name)) return;
        if (tokens_.is(behind_arguments(i), "("))
            fail(i, name + " is a kernel: launch it with " + name + "<<<grid, block>>>(...).");
    }

    const reader::TokenView& tokens_;
    const reader::Outline& outline_;
    std::set<std::string> host_, device_, host_members_, device_members_;
    std::map<std::string, std::size_t> host_variables_; ///< that device code cannot read, with their places
    std::map<std::string, reader::Outline::Variable> read_only_; ///< that it cannot write
    std::vector<RewriteError> errors_;
};

} // namespace

std::vector<RewriteError> check_device_rules(const reader::TokenView& tokens,
                                             const reader::Outline& outline) {
    return Rules(tokens, outline).run();
}

} // namespace emulator
