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
    CHECK_FALSE(refused({"strlen", defined, weak}));
    CHECK_FALSE(refused({"memcpy", false, false}));
    CHECK_FALSE(refused({"malloc", false, weak}));
    CHECK(refused({"dlsym", false, false}));
}

TEST_CASE("what allocates and moves memory is not defined weakly either, and operator new is the way") {
    for (const char* name : {"malloc", "calloc", "realloc", "reallocarray", "free", "memalign",
                             "posix_memalign", "aligned_alloc", "valloc", "pvalloc", "memcpy", "memmove",
                             "memset", "memcmp", "memchr", "mempcpy", "__memcpy_chk"})
        for (const Variant variant : {Variant::optimised, Variant::sanitized, Variant::emulated}) {
            CAPTURE(name);
            CHECK(refused({name, defined, weak}, variant));
            CHECK(refused({name, defined, false}, variant));
        }
    const auto found = check_symbols({{"malloc", defined, weak}}, Variant::optimised);
    CHECK(found[0].message == "definition of 'malloc', which belongs to the C library");
    CHECK(found[0].explanation.ends_with("To allocate memory differently, define operator new."));
    CHECK_FALSE(refused({"memory", defined, weak}));
    CHECK_FALSE(refused({"member_of", defined, weak}));
    CHECK_FALSE(refused({"_Z6mallocm", defined, weak}));
    CHECK_FALSE(refused({"_Znwm", defined, weak}));
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
        check_symbols({{"_ZN7subject4shim6invokeIivEEvv", defined, false}}, Variant::optimised)[0].message ==
        "definition of 'subject::shim::invoke', which belongs to the judge");
    CHECK(
        check_symbols(std::vector<ObjectSymbol>(30, {"memcpy", defined, false}), Variant::optimised).size() ==
        10);
}

TEST_CASE("a message stays short, however long the name is or would be without its abbreviations") {
    // void subject::take(P<...>*) with 20 doublings: 8 MB once it is demangled.
    const char* doubled = "_ZN7subject4takeEP1PIS0_IS0_IS0_IS0_IS0_IS0_IS0_IS0_IS0_IS0_IS0_IS0_IS0_IS0_IS0_"
                          "IS0_IS0_IS0_IS0_I2T0S1_"
                          "ES2_ES3_ES4_ES5_ES6_ES7_ES8_ES9_ESA_ESB_ESC_ESD_ESE_ESF_ESG_ESH_ESI_ESJ_ESK_E";
    const auto message = [](const std::string& name) {
        return check_symbols({{name, defined, false}}, Variant::optimised).at(0).message;
    };
    CHECK(message(doubled) == "definition of 'subject::take', which belongs to the judge");
    CHECK(message("__asan_" + std::string(1 << 20, 'a')).size() < 300);
    CHECK(message("_ZN7subject1000000" + std::string(1000000, 'a') + "Ev").size() < 300);
    CHECK(message("_ZN7subject999a") == "definition of 'subject', which belongs to the judge");
}
