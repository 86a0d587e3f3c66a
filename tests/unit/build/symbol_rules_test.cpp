#include "build/symbol_rules.h"

#include <doctest/doctest.h>

using build::check_symbols;
using build::ObjectSymbol;
using build::Variant;

namespace {

bool refused(const ObjectSymbol& symbol, Variant variant = Variant::optimised) {
    return !check_symbols({symbol}, variant).empty();
}

constexpr bool defined = true;
constexpr bool weak = true;

} // namespace

TEST_CASE("what belongs to the sanitizers is neither defined nor used, weakly or not") {
    for (const char* name :
         {"__asan_default_options", "__asan_on_error", "__ubsan_on_report", "__tsan_write4", "__lsan_disable",
          "__sanitizer_set_death_callback", "___interceptor_memcpy"})
        for (const Variant variant : {Variant::optimised, Variant::sanitized, Variant::emulated}) {
            CAPTURE(name);
            CHECK(refused({name, defined, false}, variant));
            CHECK(refused({name, defined, weak}, variant));
        }
    CHECK(refused({"__asan_init", false, false}));
    CHECK(refused({"__asan_init", false, weak}));
    CHECK(refused({"__tsan_write4", false, weak}, Variant::emulated));
}

TEST_CASE("what the compiler itself calls in a checked build is left alone, and nothing else") {
    CHECK_FALSE(refused({"__asan_init", false, false}, Variant::sanitized));
    CHECK_FALSE(refused({"__asan_report_store4", false, false}, Variant::sanitized));
    CHECK_FALSE(refused({"__ubsan_handle_add_overflow_abort", false, false}, Variant::sanitized));
    CHECK_FALSE(refused({"__ubsan_handle_out_of_bounds_abort", false, false}, Variant::emulated));
    CHECK(refused({"__ubsan_handle_out_of_bounds_abort", true, false}, Variant::emulated));
    CHECK_FALSE(refused({"__tsan_write4", false, false}, Variant::traced));
    CHECK(refused({"__asan_unpoison_memory_region", false, false}, Variant::sanitized));
    CHECK(refused({"__asan_set_error_report_callback", false, weak}, Variant::sanitized));
    CHECK(refused({"__sanitizer_set_report_fd", false, false}, Variant::sanitized));
}

TEST_CASE("what belongs to the judge is neither defined nor used") {
    CHECK(refused({"_ZN7subject4shim6tablesE", false, false}));
    CHECK(refused({"_ZN7subject4shim6invokeIivEEvv", defined, weak}));
    CHECK(refused({"_ZGVZN7subject4shim7objectsIiEERSt3mapvE3all", defined, weak}));
    CHECK(refused({"_ZN8emulator10take_traceEv", false, false}, Variant::emulated));
    CHECK(refused({"_ZN13cuda_emulator8observerE", false, false}, Variant::traced));
    CHECK(refused({"_ZN13cuda_emulator8observerE", defined, weak}, Variant::traced));
    CHECK_FALSE(refused({"_ZN8exercise7subject4makeEv", defined, false}));
    CHECK_FALSE(refused({"_ZN13cuda_emulator6submitERKNS_13ConfigurationERKNS_4WorkE", false, false},
                        Variant::emulated));
}

TEST_CASE("the C library's functions may be used, and defined only weakly") {
    CHECK(refused({"memcpy", defined, false}));
    CHECK(refused({"fabs", defined, false}));
    CHECK(refused({"__libc_start_main", defined, false}));
    CHECK_FALSE(refused({"memcpy", defined, weak}));
    CHECK_FALSE(refused({"memcpy", false, false}));
    CHECK(refused({"dlsym", false, false}));
}

TEST_CASE("the CUDA runtime is defined by nobody else, where there is one") {
    CHECK(refused({"cudaMalloc", defined, weak}, Variant::emulated));
    CHECK_FALSE(refused({"cudaMalloc", false, false}, Variant::emulated));
    CHECK_FALSE(refused({"cudas", defined, false}, Variant::emulated));
    CHECK(refused({"_ZN13cuda_emulator12place_sharedEv", defined, false}, Variant::emulated));
}

TEST_CASE("a __shared__ variable of a kernel template brings a unique variable of the emulator's headers") {
    constexpr bool unique = true;
    const char* slot =
        "_ZZN13cuda_emulator6sharedIZN8exercise4copyIfEEvPT_E23cuda_emulator_shared_1EERS2_PKciE4slot";
    CHECK_FALSE(refused({slot, defined, false, unique}, Variant::emulated));
    CHECK_FALSE(refused({slot, defined, false, unique}, Variant::traced));
    CHECK(refused({slot, defined, false}, Variant::emulated));
    CHECK(refused({"_ZN13cuda_emulator12place_sharedEv", defined, false, unique}, Variant::emulated));
    CHECK(refused({"cudaMalloc", defined, false, unique}, Variant::emulated));
    CHECK(refused({"_ZN13cuda_emulator8observerE", defined, false, unique}, Variant::emulated));
}

TEST_CASE("names of one's own, template instantiations and operator new are legal") {
    CHECK_FALSE(refused({"_ZN8exercise6lookupEv", defined, false}));
    CHECK_FALSE(refused(
        {"_ZNSt6vectorIfSaIfEE17_M_realloc_insertIJRKfEEEvN9__gnu_cxx17__normal_iteratorIPfS1_EEDpOT_",
         defined, weak}));
    CHECK_FALSE(refused({"_Znwm", defined, false}));
    CHECK_FALSE(refused({"_ZdlPv", defined, false}));
    CHECK_FALSE(refused({"my_table", defined, false}));
}

TEST_CASE("a message names what it is about, and there are at most ten") {
    const auto found = check_symbols({{"__asan_on_error", defined, false}}, Variant::optimised);
    REQUIRE(found.size() == 1);
    CHECK(found[0].message == "definition of '__asan_on_error', which belongs to the sanitizers");
    CHECK_FALSE(found[0].explanation.empty());
    CHECK(
        check_symbols(std::vector<ObjectSymbol>(30, {"memcpy", defined, false}), Variant::optimised).size() ==
        10);
}
