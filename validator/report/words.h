#pragma once

#include "model/judgement.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

/// The sentences that several formats share. They may hold learner text and are not escaped yet.
namespace report {

/// "█████░░░░░", `width` cells, or "#####.....": all are full only when all is done, none only when nothing
/// is.
std::string bar(std::size_t done, std::size_t all, std::size_t width, bool unicode);

/// "1 test", "3 tests".
std::string count(std::size_t number, std::string_view noun);

/// "7 of 20 points"; a judge error says instead that it costs none.
std::string points_of(const model::Judgement& judgement);

/// "Wrong answer: 7 of 20 points".
std::string headline(const model::Judgement& judgement);

/// "1.5": at most six significant digits.
std::string number(double value);

/// "out[2, 1]: expected 7, got 8; 3 of 12 elements differ, worst by 1".
std::string sentence(const model::Mismatch& mismatch);

/// "Questions of attempt 3: 5 right, 1 wrong, 2 open."; an attempt that was not recorded is not named.
std::string sentence(const model::Justification& justification);

/// "Calls of lookup fail only if C is 9 or more."
std::string sentence(const model::FailingCalls& calls);

/// "compute-sanitizer could not run: it is not installed here"; empty where all of its tools ran, or none was
/// due.
std::string sentence(const std::optional<model::ComputeSanitizer>& sanitizer);

/// "850 µs", "1.3 ms", "2.4 s".
std::string duration(std::chrono::microseconds time);

/// "312 bytes", "46.9 KiB", "3.0 MiB".
std::string bytes(std::uint64_t count);

/// "half-open ranges, lookup.cpp:12": what the test is about, and where it went wrong; either or both.
std::string subject_of(const model::TestResult& test);

/// "lookup.cpp:12:5", with what is known.
std::string place(std::string_view file, int line, int column);

std::string_view name(model::Severity severity);
std::string_view name(model::QuestionKind kind);

/// What found it: "memory check" or "thread check".
std::string_view check_name(const model::SanitizerFinding& finding);

/// What was found in one plain sentence, or empty.
std::string_view finding_words(const model::SanitizerFinding& finding);

/// "None of the 3 tests ran.", or empty where one did.
std::string nothing_ran(const model::Judgement& judgement);

/// Not accepted, although it ran.
bool failed(const model::TestResult& test);

} // namespace report
