#define DOCTEST_CONFIG_IMPLEMENT
#define DOCTEST_CONFIG_NO_POSIX_SIGNALS // a crash of the driver is the supervisor's to see
#include "harness/reporter.h"

#include "harness/recorder.h"
#include "harness/suite.h"

#include <array>
#include <doctest/doctest.h>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

namespace harness {
namespace {

/// Stands in doctest's hands for an exception that we know better than it does: `translated` is its finding,
/// and none where the listener was told already. doctest translates expected exceptions too, so the finding
/// counts only once doctest says that a test or an assertion failed by it.
constexpr const char* known = "\x01";
std::optional<Finding> translated;

void add_translated() {
    if (translated) Recorder::current().add(*std::exchange(translated, std::nullopt));
}

const CaseHooks* running_hooks = nullptr;
std::vector<ListedCase>* listing = nullptr;

/// doctest's view of a test run, turned into findings.
class Reporter : public doctest::IReporter {
  public:
    explicit Reporter(const doctest::ContextOptions&) {}

    void report_query(const doctest::QueryData& query) override {
        for (unsigned i = 0; i < query.num_data && listing != nullptr; ++i)
            listing->push_back({query.data[i]->m_name, query.data[i]->m_description == large.data,
                                query.data[i]->m_description == timed.data});
    }
    void test_case_start(const doctest::TestCaseData& test) override {
        name_ = test.m_name;
        Recorder::current().begin_case(name_);
        running_hooks->started(name_);
    }
    void test_case_end(const doctest::CurrentTestCaseStats&) override { running_hooks->ended(name_); }
    void test_case_exception(const doctest::TestCaseException& exception) override {
        if (exception.error_string == known)
            add_translated();
        else
            Recorder::current().add(
                {.kind = Finding::Kind::broken_suite, .text = exception.error_string.c_str()});
    }
    void log_assert(const doctest::AssertData& assertion) override {
        if (!assertion.m_failed || (assertion.m_at & doctest::assertType::is_warn) != 0) return;
        if (assertion.m_threw && assertion.m_exception == known) return add_translated();
        Recorder::current().add({.kind = Finding::Kind::assertion, .text = describe(assertion)});
    }
    void log_message(const doctest::MessageData& message) override {
        if (message.m_severity & doctest::assertType::is_warn) return;
        Recorder::current().add({.kind = Finding::Kind::assertion, .text = message.m_string.c_str()});
    }

    void test_run_start() override {}
    void test_run_end(const doctest::TestRunStats&) override {}
    void test_case_reenter(const doctest::TestCaseData&) override {}
    void subcase_start(const doctest::SubcaseSignature&) override {}
    void subcase_end() override {}
    void test_case_skipped(const doctest::TestCaseData&) override {}

  private:
    static std::string describe(const doctest::AssertData& assertion) {
        std::string text = std::string("does not hold: ") + assertion.m_expr;
        if (assertion.m_decomp.size() > 0) text += std::string("; values: ") + assertion.m_decomp.c_str();
        if (assertion.m_threw) text += std::string("; it threw ") + assertion.m_exception.c_str();
        return text;
    }

    std::string name_;
};

doctest::String of_learner(const subject::LearnerThrew& thrown) {
    translated = Finding{.kind = Finding::Kind::threw, .text = thrown.what(), .type = thrown.type};
    return known;
}

doctest::String of_lost_call(const subject::CallLost&) {
    translated.reset();
    return known;
}

void configure(doctest::Context& context) {
    static const bool once = [] {
        doctest::registerReporter<Reporter>("events", 1, true);
        doctest::registerExceptionTranslator<const subject::LearnerThrew&>(of_learner);
        doctest::registerExceptionTranslator<const subject::CallLost&>(of_lost_call);
        return true;
    }();
    static_cast<void>(once);
    context.setOption("reporters", "events");
    context.setOption("order-by", "file");
    context.setOption("no-breaks", true);
}

/// Runs cases `first` to `last` of the suite, counted from 1. doctest could choose by name too, but reads
/// commas, backslashes, `*` and `?` in a name as its own.
void run_stretch(std::size_t first, std::size_t last) {
    doctest::Context context;
    configure(context);
    context.setOption("first", static_cast<int>(first));
    context.setOption("last", static_cast<int>(last));
    context.run();
}

std::vector<ListedCase> read_cases() {
    std::vector<ListedCase> cases;
    doctest::Context context;
    configure(context);
    const std::array<const char*, 2> arguments{"driver",
                                               "--list-test-cases"}; // a flag, which setOption cannot set
    context.applyCommandLine(static_cast<int>(arguments.size()), arguments.data());
    listing = &cases;
    context.run();
    listing = nullptr;
    return cases;
}

} // namespace

const std::vector<ListedCase>& list_cases() {
    static const std::vector<ListedCase> all = read_cases();
    return all;
}

void run_cases(const std::vector<std::string>& names, const CaseHooks& hooks) {
    const std::vector<ListedCase>& all = list_cases();
    const std::set<std::string_view> wanted(names.begin(), names.end());
    running_hooks = &hooks;
    for (std::size_t i = 0; i < all.size(); ++i) {
        const std::size_t first = i;
        while (i < all.size() && wanted.contains(all[i].name))
            ++i;
        if (i > first) run_stretch(first + 1, i);
    }
    running_hooks = nullptr;
}

} // namespace harness
