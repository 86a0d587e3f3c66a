// What a worker prints as a sanitizer stops it, or below compute-sanitizer: the tools' words and the
// learner's.
#include "fuzz/target.h"

#include "diagnosis/compute_sanitizer.h"
#include "diagnosis/sanitizer.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const std::vector<std::string> files{"lookup.cpp", "scan.cu"};
    const std::string printed(fuzz::text_of(data, size));
    if (const auto finding = diagnosis::read_sanitizer_report(printed, files))
        fuzz::require(finding->line >= 0, "lines are counted from 1");
    diagnosis::checked_build_ran_out_of_memory(printed);
    const diagnosis::ComputeSanitizerReport report = diagnosis::read_compute_sanitizer(printed, files);
    fuzz::require(report.findings.size() <= 1000 && report.trouble.size() <= 4096, "a report is bounded");
    return 0;
}
