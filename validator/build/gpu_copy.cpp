#include "build/gpu_copy.h"

#include "build/gpu_program.h"

#include <sstream>

namespace build {

double Copies::us(double bytes) const {
    if (bytes <= copies.front().bytes) return copies.front().us;
    for (std::size_t i = 1; i < copies.size(); ++i) {
        const Copy &low = copies[i - 1], &high = copies[i];
        if (bytes <= high.bytes)
            return low.us + (high.us - low.us) * (bytes - low.bytes) / (high.bytes - low.bytes);
    }
    return bytes / rate() * 1e6;
}

double Copies::rate() const {
    return copies.back().bytes / copies.back().us * 1e6;
}

std::variant<Copies, std::string> read_copies(std::string_view printed) {
    Copies copies;
    std::istringstream lines{std::string(printed)};
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        std::string word, name;
        Copies::Copy copy;
        words >> word;
        if (word == "error" && words >> name) return "copies on the GPU fail: " + name;
        const double least = copies.copies.empty() ? 0 : copies.copies.back().bytes;
        if (word == "copy" && words >> copy.bytes >> copy.us && copy.bytes > least && copy.us > 0)
            copies.copies.push_back(copy);
    }
    if (copies.copies.empty()) return std::string("copies on the GPU could not be timed");
    return copies;
}

std::variant<Copies, std::string> time_copies(const Workshop& workshop, int cancel_fd) {
    auto answer = run_gpu_program(workshop, workshop.layout().gpu_copy(), cancel_fd);
    if (auto* why = std::get_if<std::string>(&answer)) return std::move(*why);
    return read_copies(std::get<GpuAnswer>(answer).outcome.output);
}

} // namespace build
