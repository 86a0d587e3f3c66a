#include "build/symbol_rules.h"

#include "text/utf8.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <dlfcn.h>
#include <string>
#include <string_view>

namespace build {
namespace {

constexpr std::size_t max_messages = 10;

template <std::size_t N>
bool begins_with_one(std::string_view name, const std::array<std::string_view, N>& prefixes) {
    return std::ranges::any_of(prefixes, [&](std::string_view prefix) { return name.starts_with(prefix); });
}

constexpr std::array<std::string_view, 10> of_sanitizers{
    "__asan", "__hwasan", "__interceptor", "___interceptor", "__lsan",
    "__msan", "__sancov", "__sanitizer",   "__tsan",         "__ubsan"};

/// What a compiler calls by itself in what it instruments. Anything else of the sanitizers' steers them.
constexpr std::array<std::string_view, 30> instrumentation{"__asan_init",
                                                           "__asan_version_mismatch_check",
                                                           "__asan_report_",
                                                           "__asan_register_",
                                                           "__asan_unregister_",
                                                           "__asan_stack_",
                                                           "__asan_set_shadow_",
                                                           "__asan_handle_no_return",
                                                           "__asan_option_detect",
                                                           "__asan_shadow_memory_dynamic",
                                                           "__asan_load",
                                                           "__asan_store",
                                                           "__asan_exp_",
                                                           "__asan_before_dynamic_init",
                                                           "__asan_after_dynamic_init",
                                                           "__asan_alloca_",
                                                           "__asan_allocas_",
                                                           "__asan_poison_stack_memory",
                                                           "__asan_unpoison_stack_memory",
                                                           "__asan_mem",
                                                           "__ubsan_handle_",
                                                           "__tsan_init",
                                                           "__tsan_read",
                                                           "__tsan_write",
                                                           "__tsan_unaligned",
                                                           "__tsan_atomic",
                                                           "__tsan_volatile",
                                                           "__tsan_func_",
                                                           "__tsan_vptr_",
                                                           "__tsan_mem"};

bool is_called_by_compilers(std::string_view name, Variant variant) {
    // The judged build of kernels checks indices and alignment, and nothing else.
    if (variant == Variant::emulated || variant == Variant::debugged_kernels)
        return name.starts_with("__ubsan_handle_");
    return traits(variant).check != model::Check::none && begins_with_one(name, instrumentation);
}

/// Whether a mangled name begins with this namespace: _ZN7subject…, _ZNK7subject…, _ZTVN7subject….
bool lies_in(std::string_view name, std::string_view space) {
    if (!name.starts_with("_Z")) return false;
    const std::size_t first = name.find_first_of("0123456789");
    return first != std::string_view::npos &&
           name.substr(first).starts_with(std::to_string(space.size()) + std::string(space));
}

/// What the emulator's runtime observes with, which its headers do not name.
constexpr std::array<std::string_view, 5> observing{
    "_ZN13cuda_emulator8observer", "_ZN13cuda_emulator12start_tracer", "_ZN13cuda_emulator13take_findings",
    "_ZN13cuda_emulator8counters", "_ZN13cuda_emulator6Tracer"};

bool belongs_to_judge(std::string_view name) {
    return lies_in(name, "subject") || lies_in(name, "emulator") || begins_with_one(name, observing);
}

/// The emulator's headers bring inline functions, which are weak. A static variable of one is unique where
/// the function is of a template: each __shared__ variable of a kernel template has one. What the runtime
/// alone defines is neither.
bool belongs_to_device(const ObjectSymbol& symbol) {
    const std::string_view name = symbol.name;
    const bool runtime_call = name.starts_with("cuda") && name.size() > 4 && name[4] >= 'A' && name[4] <= 'Z';
    const bool by_header = symbol.weak || (symbol.unique && name.starts_with("_ZZ"));
    return runtime_call || (!by_header && lies_in(name, "cuda_emulator"));
}

/// Asked of the library itself, which is the one that a worker runs with.
bool belongs_to_c_library(std::string_view name) {
    constexpr std::size_t longest = 256; // it has no name that comes near this
    static const std::array<void*, 3> libraries{
        dlopen("libc.so.6", RTLD_LAZY), dlopen("libm.so.6", RTLD_LAZY), dlopen("libpthread.so.0", RTLD_LAZY)};
    if (name.starts_with("_Z") || name.size() > longest) return false;
    return std::ranges::any_of(libraries, [text = std::string(name)](void* library) {
        return library != nullptr && dlsym(library, text.c_str()) != nullptr;
    });
}

/// What the judge's half of a worker and the sanitizers allocate and move memory with. A replacement, even a
/// weak one, could give the judge's copies of arguments slack, so that an access out of bounds meets memory
/// that may be accessed.
bool handles_memory(std::string_view name) {
    constexpr std::array<std::string_view, 9> allocators{"malloc",        "calloc", "realloc",
                                                         "reallocarray",  "free",   "posix_memalign",
                                                         "aligned_alloc", "valloc", "pvalloc"};
    if (std::ranges::find(allocators, name) != allocators.end()) return true;
    return (name.starts_with("mem") || name.starts_with("__mem")) && belongs_to_c_library(name);
}

/// "subject::shim::invoke" of _ZN7subject4shim6invokeIivEEvv: the words that a mangled name begins with, each
/// of which is written after its length. Nothing is demangled, because a type can be exponentially longer
/// than its mangled name.
std::string qualified_name(std::string_view mangled) {
    std::string name;
    mangled.remove_prefix(std::min(mangled.find_first_of("0123456789"), mangled.size()));
    for (;;) {
        std::size_t size = 0;
        const char* end = mangled.data() + mangled.size();
        const auto [word, error] = std::from_chars(mangled.data(), end, size);
        if (error != std::errc() || size > static_cast<std::size_t>(end - word)) return name;
        name.append(name.empty() ? "" : "::").append(word, size);
        mangled = {word + size, end};
    }
}

/// A name as a message shows it.
std::string shown(std::string_view name) {
    constexpr std::size_t longest = 200;
    std::string text = name.starts_with("_Z") ? qualified_name(name) : std::string(name);
    if (text.size() > longest) text = std::string(text::prefix(text, longest)) + "…";
    return text;
}

model::Diagnostic refusal(const std::string& message, const std::string& explanation) {
    model::Diagnostic diagnostic;
    diagnostic.message = message;
    diagnostic.explanation = explanation;
    return diagnostic;
}

model::Diagnostic defines(const std::string& name, const std::string& owner) {
    return refusal("definition of '" + name + "', which belongs to " + owner,
                   "Your file defines `" + name + "`, which belongs to " + owner +
                       ": give it another name, or make it static.");
}

model::Diagnostic reaches_for(const std::string& name, const std::string& owner) {
    return refusal("use of '" + name + "', which belongs to " + owner,
                   "Your file uses `" + name + "`, which belongs to " + owner +
                       ": what observes your program is not for it to use.");
}

model::Diagnostic replaces(const std::string& name) {
    return refusal("definition of '" + name + "', which belongs to the C library",
                   "Your file defines `" + name +
                       "`, which belongs to the C library and which the judge relies on: give it another "
                       "name, or make it static. To allocate memory differently, define operator new.");
}

std::vector<model::Diagnostic> check_symbol(const ObjectSymbol& symbol, Variant variant) {
    if (begins_with_one(symbol.name, of_sanitizers)) {
        if (symbol.defined) return {defines(shown(symbol.name), "the sanitizers")};
        if (!is_called_by_compilers(symbol.name, variant))
            return {reaches_for(shown(symbol.name), "the sanitizers")};
        return {};
    }
    if (belongs_to_judge(symbol.name))
        return {symbol.defined ? defines(shown(symbol.name), "the judge")
                               : reaches_for(shown(symbol.name), "the judge")};
    if (!symbol.defined) {
        if (symbol.name == "dlsym" || symbol.name == "dlvsym")
            return {refusal("use of '" + std::string(symbol.name) + "'",
                            "Your file uses `" + std::string(symbol.name) +
                                "`, which finds functions by their names: call them directly.")};
        return {};
    }
    if (traits(variant).language == model::Language::cuda && belongs_to_device(symbol))
        return {defines(shown(symbol.name), "the CUDA runtime")};
    if (handles_memory(symbol.name)) return {replaces(shown(symbol.name))};
    if (!symbol.weak && belongs_to_c_library(symbol.name))
        return {defines(shown(symbol.name), "the C library")};
    return {};
}

} // namespace

std::vector<model::Diagnostic> check_symbols(const std::vector<ObjectSymbol>& symbols, Variant variant) {
    std::vector<model::Diagnostic> found;
    for (const ObjectSymbol& symbol : symbols) {
        if (found.size() == max_messages) break;
        std::ranges::move(check_symbol(symbol, variant), std::back_inserter(found));
    }
    return found;
}

} // namespace build
