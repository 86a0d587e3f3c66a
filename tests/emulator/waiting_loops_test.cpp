#include "rewritten.h"

#include <string>

// Which loops of device code wait for others, and what they are made to say of it.

TEST_CASE("a loop on the device that only waits lets others run") {
    const std::string pause = "::cuda_emulator::pause_thread();";
    CHECK(rewritten("__device__ void f(int* p) { while (*p == 0) ; }").find("(*p == 0) " + pause) !=
          std::string::npos);
    CHECK(rewritten("__device__ void f(int* p) { for (; *p == 0;) {} }").find("{ " + pause + "}") !=
          std::string::npos);
    CHECK(rewritten("__device__ void f(int* p) { do {} while (*p == 0); }").find("do { " + pause + "}") !=
          std::string::npos);
    const auto pauses = [&](const std::string& loop) {
        return rewritten("__device__ void f(volatile int* p) { " + loop + " }").find(pause) !=
               std::string::npos;
    };
    CHECK(pauses("do { seen = *p; } while (seen == 0);"));
    CHECK(pauses("while (p[1] == 0) { __threadfence(); }"));
    CHECK(pauses("while (true) { if (p[0] == 3) break; }"));
    CHECK(pauses("for (;;) { const int now = *p; if (now != 0) return; }"));
    CHECK_FALSE(pauses("do { ++*p; } while (*p < 3);"));
    CHECK_FALSE(pauses("while (*p == 0) { *p = 1; }"));
    CHECK_FALSE(pauses("while (*p == 0) { g(p); }"));
    CHECK_FALSE(pauses("while (n > 1) { n = n / 2; }"));
    CHECK_FALSE(pauses("while (*p == 0) { sum += p[1]; }"));
    CHECK(rewritten("void f(int* p) { while (*p == 0) ; }").find(pause) == std::string::npos);
}

TEST_CASE("a loop that looks elsewhere in each turn searches, and waits for nobody") {
    const auto lets_others_run = [](const std::string& loop) {
        const std::string text = rewritten("__device__ void f(const int* p, List* list) { " + loop + " }");
        return text.find("pause_thread();") != std::string::npos || text.find("poll();") != std::string::npos;
    };
    CHECK_FALSE(lets_others_run("while (p[i] != id) { ++i; }"));
    CHECK_FALSE(lets_others_run("for (i = 0; p[2 + i] != id; ++i);"));
    CHECK_FALSE(lets_others_run(
        "while (low < high) { mid = (low + high) / 2; if (p[mid] < id) low = mid + 1; else high = mid; }"));
    CHECK_FALSE(lets_others_run("while (list->id != id) { list = list->next; }"));
    CHECK_FALSE(lets_others_run("while (*p != id) { ++p; }"));
    // Where it goes on only once it has seen something, it waits for that.
    CHECK(lets_others_run("while (i < n) { if (p[i] != 0) ++i; }"));
    CHECK(lets_others_run("while (i < n) { if (p[i] != 0) { ++i; } }"));
    CHECK(lets_others_run("while (p[3] != id) { ++i; }"));
    CHECK(lets_others_run("do { seen = *p; } while (seen == 0);"));
}

TEST_CASE("a thread that has waited says so, whatever statement the loop is part of") {
    CHECK(rewritten("__device__ void f(int* p) { if (p) while (*p == 0) ; else g(); }")
              .find("if (p) { while (*p == 0) ::cuda_emulator::pause_thread(); ::cuda_emulator::waited(); } "
                    "else") != std::string::npos);
    CHECK(rewritten("__device__ void f(int* p) { do { } while (*p == 0); }")
              .find("while (*p == 0); ::cuda_emulator::waited(); }") != std::string::npos);
}

TEST_CASE("a loop that counts its looks lets others run for a while only") {
    const auto polls = [](const std::string& loop) {
        return rewritten("__device__ void f(int* p) { " + loop + " }").find("::cuda_emulator::poll();") !=
               std::string::npos;
    };
    CHECK(polls("for (int i = 0; i < 1000 && *p == 0; ++i);"));
    CHECK(polls("while (*p == 0) { if (++tries > 9) break; }"));
    CHECK_FALSE(polls("for (int i = 0; i < 1000; ++i);"));
    CHECK_FALSE(polls("while (*p == 0) { (*p)++; }"));
    CHECK_FALSE(polls("while (*p == 0) { p->n++; }"));
}
