// What a worker adds whose kernels run on the emulator: an account of what they did.
#include "subject/shim/emulated.h"

#include "emulator/trace_json.h"
#include "emulator/worker.h"

#include <cstdio>
#include <cstring>
#include <string>

namespace subject::shim {
namespace {

Control* shared = nullptr;

void note_kernel(const char* kernel, int line) {
    if (kernel == nullptr)
        shared->kernel[0] = '\0';
    else
        std::snprintf(shared->kernel, sizeof shared->kernel, "%s, launched in line %d", kernel, line);
}

} // namespace

void watch_kernels(Control& control) {
    shared = &control;
    emulator::watch_kernels(note_kernel);
}

std::size_t observed(std::byte* to, std::size_t capacity) {
    emulator::Trace trace = emulator::take_trace();
    std::string text = emulator::to_json(trace);
    if (text.size() > capacity) {
        for (emulator::KernelTraffic& kernel : trace.kernels)
            kernel.lines.clear();
        text = emulator::to_json(trace);
    }
    if (text.size() > capacity) return 0;
    std::memcpy(to, text.data(), text.size());
    return text.size();
}

void choose_order(std::uint32_t order) {
    emulator::shift_orders(order);
}

bool order_mattered() {
    return emulator::order_mattered();
}

void run_control(const model::Control& control) {
    emulator::run_control(control);
}

void call_begins(const void* stream) {
    emulator::call_begins(stream);
}

std::uint64_t call_ends() {
    return emulator::call_ends();
}

void keep(const void* memory) {
    emulator::keep(memory);
}

void give(const void* first, std::size_t rows, std::size_t row_bytes, std::size_t stride_bytes) {
    emulator::give(first, rows, row_bytes, stride_bytes);
}

void rehearse(bool on) {
    emulator::rehearse(on);
}

bool lend(void* memory, std::size_t bytes) {
    emulator::adopt(memory, bytes);
    return true;
}

} // namespace subject::shim
