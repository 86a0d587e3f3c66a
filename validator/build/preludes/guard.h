// Read before every submission, after the precompiled headers: they would not be used if the command line
// said this.
#pragma GCC system_header

// A submission is not told which of its builds it is in.
#undef __SANITIZE_ADDRESS__
#undef __SANITIZE_HWADDRESS__
#undef __SANITIZE_THREAD__
// What libstdc++ has made of them. A header that is read after this line may need the second to be free of
// false races; it is as right without ThreadSanitizer, so every build has it.
#undef _GLIBCXX_SANITIZE_STD_ALLOCATOR
#define _GLIBCXX_TSAN 1
#ifdef __has_feature
#undef __has_feature
#define __has_feature(name) 0
#endif
#ifdef __has_extension
#undef __has_extension
#define __has_extension(name) 0
#endif

// Attributes that take a function out of what observes it. The preprocessor refuses the words however they
// come about: in macros, put together by ##, or from other headers.
#pragma GCC poison no_sanitize __no_sanitize__ no_sanitize_address __no_sanitize_address__ no_sanitize_thread
#pragma GCC poison __no_sanitize_thread__ no_sanitize_undefined __no_sanitize_undefined__ no_sanitize_memory
#pragma GCC poison __no_sanitize_memory__ no_sanitize_coverage __no_sanitize_coverage__                      \
    no_address_safety_analysis
#pragma GCC poison __no_address_safety_analysis__ disable_sanitizer_instrumentation
#pragma GCC poison __disable_sanitizer_instrumentation__
