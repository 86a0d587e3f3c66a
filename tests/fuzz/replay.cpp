// The main of a fuzz target where libFuzzer is not linked: repeats each file of the folders that are named.
#include "fuzz/target.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <span>
#include <string>

int main(int count, char** arguments) {
    int files = 0;
    for (const char* folder : std::span(arguments, count).subspan(1))
        for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
            if (!entry.is_regular_file()) continue;
            std::ifstream stream(entry.path(), std::ios::binary);
            const std::string bytes(std::istreambuf_iterator<char>(stream), {});
            std::cout << entry.path().filename().string() << std::endl; // flushed: the last one is to blame
            LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
            ++files;
        }
    return files == 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
