#include "emulator/device_rules.h"

#include "reader/own_names.h"

#include <algorithm>
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

constexpr std::string_view host_library[] = {
    "vector",  "string",     "map",        "unordered_map", "set",  "unordered_set", "deque",
    "list",    "function",   "cout",       "cerr",          "endl", "sort",          "thread",
    "mutex",   "unique_ptr", "shared_ptr", "atomic",        "fill", "copy",          "accumulate",
    "mt19937", "optional",   "variant",    "ostringstream"};

class Rules {
  public:
    Rules(const reader::TokenView& tokens, const reader::Outline& outline)
        : tokens_(tokens), outline_(outline) {
        for (const reader::Outline::Function& f : outline.functions) {
            if (f.member) continue;
            if (f.device || f.constant)
                device_.insert(f.name);
            else
                host_.insert(f.name);
        }
    }

    std::vector<RewriteError> run() {
        for (std::size_t i = 0; i < tokens_.size(); ++i)
            if (tokens_.is(i, "__CUDA_ARCH__"))
                fail(i,
                     "The emulator compiles host and device code at once: __CUDA_ARCH__ has no value here.");
        for (const reader::Outline::Function& f : outline_.functions) {
            for (std::size_t i = f.open + 1; i < f.close; ++i) {
                if (f.device) check_device(i);
                check_call_of_kernel(i);
            }
        }
        return std::move(errors_);
    }

  private:
    void fail(std::size_t i, std::string message) {
        errors_.push_back({tokens_[i].line, std::move(message)});
    }

    bool is_member(std::size_t i) const { return tokens_.is(i - 1, ".") || tokens_.is(i - 1, "->"); }

    /// The name of a library function that stands for something else here.
    bool means_another(std::size_t i) const {
        if (!tokens_.is(i - 1, "::")) return reader::is_declared(tokens_, i);
        const std::size_t scope = i - 2;
        return i >= 2 && (tokens_.is(scope, ">") || tokens_.is_identifier(scope)) &&
               !tokens_.is(scope, "std");
    }

    void check_device(std::size_t i) {
        if (tokens_.is(i, "<<<"))
            return fail(i, "A kernel launches a kernel: the emulator has no dynamic parallelism.");
        if (!tokens_.is_identifier(i) || is_member(i)) return;
        for (const Word& rule : not_in_device_code)
            if (tokens_.is(i, rule.word) && !(rule.function && means_another(i)))
                return fail(i, std::string(rule.message));
        const std::string name(tokens_[i].text);
        const bool qualified = tokens_.is(i - 1, "::");
        if (qualified && tokens_.is(i - 2, "std") &&
            std::find(std::begin(host_library), std::end(host_library), name) != std::end(host_library))
            return fail(i, "std::" + name + " belongs to the host: device code cannot use it.");
        if (!qualified && tokens_.is(i + 1, "(") && host_.contains(name) && !device_.contains(name))
            fail(i, name + " is a host function: mark it __device__ to call it from device code.");
    }

    void check_call_of_kernel(std::size_t i) {
        if (!tokens_.is_identifier(i) || is_member(i)) return;
        const std::string_view name = tokens_[i].text;
        if (std::find(outline_.kernels.begin(), outline_.kernels.end(), name) == outline_.kernels.end())
            return;
        std::size_t next = i + 1;
        if (tokens_.is(next, "<")) {
            const std::size_t close = tokens_.close_angle(next);
            if (close == reader::no_token) return;
            next = close + 1;
        }
        if (tokens_.is(next, "("))
            fail(i, std::string(name) + " is a kernel: launch it with " + std::string(name) +
                        "<<<grid, block>>>(...).");
    }

    const reader::TokenView& tokens_;
    const reader::Outline& outline_;
    std::set<std::string> host_, device_;
    std::vector<RewriteError> errors_;
};

} // namespace

std::vector<RewriteError> check_device_rules(const reader::TokenView& tokens,
                                             const reader::Outline& outline) {
    return Rules(tokens, outline).run();
}

} // namespace emulator
