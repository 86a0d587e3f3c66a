#include "kernels/owners.h"
#include "observed.h"

#include <cuda_runtime.h>
#include <doctest/doctest.h>

/// Whose memory a kernel uses: a device does not let it have the host's.
namespace {

using emulator::FindingKind;

struct Row {
    const char* name;
    int (*kernel)();
    const char* owner; ///< as the message says it
};

} // namespace

TEST_CASE("a kernel that reads memory of the host is refused with the owner, the line and the way out") {
    const Row rows[] = {
        {"a local array", owners::host_stack, "of the host's stack: "},
        {"a vector", owners::host_heap, "of the host's heap: "},
        {"a global array", owners::host_global, "of `global`, a variable of the host: "},
        {"a constant array", owners::host_constant, "of `constant`, a variable of the host: "},
        {"a constexpr array", owners::host_constexpr, "of `known`, a variable of the host: "},
        {"the second of two static variables", owners::host_static, "of `table`, a variable of the host: "},
        {"a static constexpr array", owners::host_static_constant, "of `table`, a variable of the host: "},
        {"static in a macro", owners::host_static_by_macro, "of `table`, a variable of the host: "},
        {"static, never written", owners::host_static_unwritten, "of `table`, a variable of the host: "},
        {"a member of a class", owners::host_member, "of `ramp`, a variable of the host: "},
    };
    for (const Row& row : rows) {
        CAPTURE(row.name);
        CHECK(row.kernel() == cudaErrorIllegalAddress);
        const auto trace = observe();
        REQUIRE(trace.findings.size() == 1);
        const auto& finding = trace.findings[0];
        CHECK(finding.kind == FindingKind::host_memory);
        CHECK(finding.message == std::string("A kernel reads 4 bytes ") + row.owner +
                                     "copy them to device memory with cudaMemcpy, or declare a table "
                                     "__constant__.");
        CHECK(finding.where.line == line_of("read", "owners.cu"));
    }
    CHECK(owners::written_by_kernel() == cudaErrorIllegalAddress);
    const auto trace = observe();
    REQUIRE(trace.findings.size() == 1);
    CHECK(trace.findings[0].kind == FindingKind::host_memory);
    CHECK(trace.findings[0].where.line == line_of("write", "owners.cu"));
}

TEST_CASE("a kernel reads what device code may read") {
    const Row rows[] = {
        {"a literal", owners::literal, ""},
        {"values that the compiler knows", owners::constant_values, ""},
        {"__device__", owners::device_variable, ""},
        {"__constant__", owners::constant_variable, ""},
        {"__managed__", owners::managed_variable, ""},
        {"__device__ by its address", owners::by_symbol_address, ""},
        {"static variables of a device function", owners::device_static, ""},
        {"a table of functions", owners::table_of_functions, ""},
        {"a virtual function", owners::virtual_function, ""},
        {"parameters", owners::parameters, ""},
        {"local arrays", owners::local_memory, ""},
        {"pinned memory", owners::pinned, ""},
        {"a registered static array", owners::registered_static, ""},
    };
    for (const Row& row : rows) {
        CAPTURE(row.name);
        CHECK(row.kernel() == cudaSuccess);
        for (const auto& finding : observe().findings)
            if (finding.kind != FindingKind::variable_written) FAIL_CHECK(finding.message);
    }
}
