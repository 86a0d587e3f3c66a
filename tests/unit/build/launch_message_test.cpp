#include "build/launch_message.h"

#include <doctest/doctest.h>

using build::launch_in_words;

TEST_CASE("arguments that do not fit a kernel are told with its parameters") {
    CHECK(launch_in_words("no match for call to ‘(cuda_emulator::KernelTaking<float*, int>::Launcher<f(int*, "
                          "float*)::<lambda(auto:21& ...)> >) (int*&, int)’") ==
          "the kernel has the parameters (float*, int), and is launched with (int*&, int)");
    CHECK(launch_in_words("no match for call to ‘(cuda_emulator::KernelTaking<std::span<int> >::Launcher<"
                          "f()::<lambda(auto:1& ...)> >) (std::vector<std::pair<int, int> >)’") ==
          "the kernel has the parameters (std::span<int> ), and is launched with "
          "(std::vector<std::pair<int, int> >)");
}

TEST_CASE("a message about any other call stays as it is") {
    for (const char* message :
         {"no match for call to ‘(std::less<int>) (int*&, int)’", "no match for call to ‘(cuda_emulator::",
          "no match for call to ‘(cuda_emulator::KernelTaking<float*> (int)’",
          "no match for call to ‘(cuda_emulator::KernelTaking<float*>::Launcher<x", ""}) {
        CAPTURE(message);
        CHECK(launch_in_words(message) == message);
    }
}
