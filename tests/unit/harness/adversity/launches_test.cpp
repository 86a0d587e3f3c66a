// What is adverse about functions that launch kernels.
#include "harness/adversity/device.h"
#include "lookup_programs.h"

#include <algorithm>

using namespace lookup_programs;

TEST_CASE("a stream that is forgotten at some sizes shows at their boundaries") {
    using contract::Stream;
    using Fill = void (*)(Matrix<float>, Stream);
    const Fill right = [](Matrix<float> out, Stream) {
        for (std::size_t r = 0; r < out.rows; ++r)
            std::fill_n(out.row(r), out.cols, 1.0F);
    };
    const Fill forgetful = [](Matrix<float> out, Stream stream) {
        const float value = out.rows > 64 && stream == Stream::own ? 2 : 1;
        for (std::size_t r = 0; r < out.rows; ++r)
            std::fill_n(out.row(r), out.cols, value);
    };
    for (const Fill subject : {right, forgetful}) {
        Recorder::current().begin_case("a case");
        Adverse("fill", subject, right, {{.name = "R", .ordinary = 5}, {.name = "C", .ordinary = 3}},
                matrix_out("out", "R", "C"), stream("stream"))
            .sizes();
        CHECK(Recorder::current().end_case().empty() == (subject == right));
    }
}

TEST_CASE("very long launches are made in a thorough run, and once: not in a traced build, nor under other "
          "orders of threads") {
    using contract::Stream;
    using Fill = void (*)(Matrix<float>, Stream);
    const Fill right = [](Matrix<float> out, Stream) {
        for (std::size_t r = 0; r < out.rows; ++r)
            std::fill_n(out.row(r), out.cols, 1.0F);
    };
    const Fill capped = [](Matrix<float> out, Stream) {
        for (std::size_t r = 0; r < std::min<std::size_t>(out.rows, 65'535); ++r)
            std::fill_n(out.row(r), out.cols, 1.0F);
    };
    const auto is_seen = [&] {
        Recorder::current().begin_case("a case");
        Adverse("fill", capped, right, {{.name = "R", .ordinary = 5}, {.name = "C", .ordinary = 3}},
                matrix_out("out", "R", "C"), stream("stream"))
            .sizes();
        return !Recorder::current().end_case().empty();
    };
    CHECK_FALSE(is_seen());
    Recorder::current().be_thorough(true);
    CHECK(is_seen());
    subject::Session::current().set_order(1);
    CHECK_FALSE(is_seen());
    subject::Session::current().set_order(0);
    Recorder::current().allow_long_calls(false);
    CHECK_FALSE(is_seen());
    Recorder::current().allow_long_calls(true);
    CHECK(is_seen());
    Recorder::current().be_thorough(false);
}

TEST_CASE("sums whose bits depend on the order of threads show") {
    using contract::Stream;
    using Fill = void (*)(Matrix<float>, Stream);
    const Fill right = [](Matrix<float> out, Stream) {
        for (std::size_t r = 0; r < out.rows; ++r)
            std::fill_n(out.row(r), out.cols, 1.0F);
    };
    const Fill in_any_order = [](Matrix<float> out, Stream) {
        const float value = subject::Session::current().order() == 2 ? 1 + 0x1p-23F : 1;
        for (std::size_t r = 0; r < out.rows; ++r)
            std::fill_n(out.row(r), out.cols, value);
    };
    const auto findings_of = [&](Fill subject) {
        Recorder::current().begin_case("a case");
        Adverse("fill", subject, right, {{.name = "R", .ordinary = 5}, {.name = "C", .ordinary = 3}},
                matrix_out("out", "R", "C"), stream("stream"))
            .history();
        CHECK(subject::Session::current().order() == 0);
        return Recorder::current().end_case();
    };
    CHECK(findings_of(right).empty());
    const std::vector<Finding> found = findings_of(in_any_order);
    REQUIRE_FALSE(found.empty());
    CHECK(found.front().context.find("its threads in another order") != std::string::npos);
}
