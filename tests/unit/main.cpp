#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <iostream>

namespace {

bool any_case = false;

struct Counter : doctest::IReporter {
    explicit Counter(const doctest::ContextOptions&) {}
    void test_case_start(const doctest::TestCaseData&) override { any_case = true; }

    void report_query(const doctest::QueryData&) override {}
    void test_run_start() override {}
    void test_run_end(const doctest::TestRunStats&) override {}
    void test_case_reenter(const doctest::TestCaseData&) override {}
    void test_case_end(const doctest::CurrentTestCaseStats&) override {}
    void test_case_exception(const doctest::TestCaseException&) override {}
    void subcase_start(const doctest::SubcaseSignature&) override {}
    void subcase_end() override {}
    void log_assert(const doctest::AssertData&) override {}
    void log_message(const doctest::MessageData&) override {}
    void test_case_skipped(const doctest::TestCaseData&) override {}
};

REGISTER_LISTENER("counter", 0, Counter);

} // namespace

/// A program of several files runs one of them; a name that none of them has would otherwise pass.
int main(int argc, char** argv) {
    doctest::Context context(argc, argv);
    const int result = context.run();
    if (any_case || context.shouldExit()) return result;
    std::cerr << "no test case was run\n";
    return 1;
}
