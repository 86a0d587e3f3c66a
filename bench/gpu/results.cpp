#include "results.h"

#include <algorithm>
#include <cstdio>

// Written by hand, so that a machine with a GPU needs nothing but the CUDA toolkit.
namespace results {
namespace {

std::string quoted(const std::string& text) {
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') out += '\\';
        out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
    return out + '"';
}

std::string number(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.6g", value);
    return text;
}

std::string field(const char* name, const std::string& value) {
    return quoted(name) + ": " + value;
}

std::string to_json(const Summary& time) {
    return "{" + field("median", number(time.median)) + ", " + field("low", number(time.low)) + ", " +
           field("high", number(time.high)) + "}";
}

/// `fastest`: bytes a microsecond.
std::string to_json(const Row& row, double fastest) {
    const double bound = static_cast<double>(row.bytes) / fastest;
    const auto count = [](std::size_t value) { return std::to_string(value); };
    std::string text = "{";
    text += field("kernel", quoted(row.kernel)) + ", " + field("shape", quoted(row.shape.name)) + ", ";
    text += field("B", count(row.shape.B)) + ", " + field("T", count(row.shape.T)) + ", ";
    text += field("C", count(row.shape.C)) + ", " + field("V", count(row.shape.V)) + ", ";
    text += field("ids", quoted(row.ids)) + ", " + field("distinct", count(row.distinct)) + ", ";
    text += field("bytes", count(row.bytes)) + ", " + field("launches", count(row.launches)) + ", ";
    text += field("us", to_json(row.time)) + ", " + field("copy_us", to_json(row.copy)) + ", ";
    text += field("share_of_copy", number(row.share_of_copy())) + ", ";
    text += field("lower_bound_us", number(bound)) + ", ";
    text += field("times_lower_bound", number(row.time.median / bound)) + ", ";
    text += field("verified", quoted(row.verified)) + "}";
    return text;
}

} // namespace

Summary summarise(std::vector<double> times) {
    std::ranges::sort(times);
    const auto at = [&](double share) {
        const double place = share * static_cast<double>(times.size() - 1);
        const auto below = static_cast<std::size_t>(place);
        const std::size_t above = std::min(below + 1, times.size() - 1);
        return times[below] + (place - static_cast<double>(below)) * (times[above] - times[below]);
    };
    return {at(0.25), at(0.5), at(0.75)};
}

std::string to_json(const std::string& date, const Device& device, std::size_t flushed_bytes,
                    const std::vector<Row>& rows) {
    double fastest = 0;
    for (const Row& row : rows)
        fastest = std::max(fastest, static_cast<double>(row.bytes) / row.copy.median);
    std::string text = "{" + field("schema", "\"engine.bench.gpu/1\"") + ", " + field("date", quoted(date));
    text += ", " + field("device", quoted(device.name)) + ", " +
            field("compute_capability",
                  quoted(std::to_string(device.major) + "." + std::to_string(device.minor)));
    text += ", " + field("cuda_driver", std::to_string(device.driver)) + ", " +
            field("cuda_runtime", std::to_string(device.runtime));
    text += ", " + field("flushed_bytes", std::to_string(flushed_bytes)) + ", " +
            field("copy_bytes_per_us", number(fastest)) + ", " + field("rows", "[");
    for (std::size_t i = 0; i < rows.size(); ++i)
        text += (i == 0 ? "\n" : ",\n") + to_json(rows[i], fastest);
    return text + "\n]}\n";
}

} // namespace results
