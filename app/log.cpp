#include "app/log.h"

#include "model/errors.h"
#include "report/escape.h"
#include "text/clean.h"

#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <memory>
#include <spdlog/sinks/basic_file_sink.h>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

namespace app::log {
namespace {

namespace fs = std::filesystem;

/// How each log begins: no other file is replaced by one.
constexpr std::string_view file_mark = "engine log: ";

std::shared_ptr<spdlog::logger>& file_log() {
    static std::shared_ptr<spdlog::logger> logger;
    return logger;
}

void say(spdlog::level::level_enum level, std::string_view text) {
    if (spdlog::should_log(level)) spdlog::log(level, "{}", text::printable(text));
    if (file_log())
        file_log()->log(level, "{}", report::terminal(text, report::limit::sentence, text::Lines::show));
}

/// A mistyped name must not cost a learner's file.
void require_log(const fs::path& file) {
    std::error_code error;
    const fs::file_status status = fs::status(file, error);
    if (status.type() == fs::file_type::not_found) return;
    std::string begin(file_mark.size(), '\0');
    std::ifstream stream;
    if (fs::is_regular_file(status)) stream.open(file, std::ios::binary);
    stream.read(begin.data(), static_cast<std::streamsize>(begin.size()));
    begin.resize(static_cast<std::size_t>(stream.gcount()));
    if (!fs::is_regular_file(status) || (!begin.empty() && begin != file_mark))
        throw model::UsageError("--log-file " + file.string() +
                                " would replace something that is not a log; name another file");
}

} // namespace

void begin() {
    auto logger = spdlog::stderr_color_mt("engine");
    logger->set_pattern("engine: %v");
    logger->set_level(spdlog::level::warn);
    spdlog::set_default_logger(logger);
}

void configure(const Options& options, const std::string& first) {
    spdlog::default_logger()->set_level(spdlog::level::from_str(options.log_level));
    if (options.log_file.empty()) return;
    require_log(options.log_file);
    try {
        auto logger = spdlog::basic_logger_mt("file", options.log_file, true);
        logger->set_level(spdlog::level::debug);
        logger->flush_on(spdlog::level::debug); // the last lines before a crash are those that matter
        logger->set_pattern(std::string(file_mark) + "%v", spdlog::pattern_time_type::utc);
        file_log() = logger;
        debug(first);
        logger->set_pattern("%Y-%m-%dT%H:%M:%S.%eZ %l: %v", spdlog::pattern_time_type::utc);
    } catch (const spdlog::spdlog_ex& error) {
        throw model::EnvironmentError(fmt::format("cannot write the log {}: {}; choose another place with "
                                                  "--log-file",
                                                  options.log_file, error.what()));
    }
}

bool wants_debug() {
    return file_log() || shows_debug();
}

bool shows_debug() {
    return spdlog::should_log(spdlog::level::debug);
}

void error(std::string_view text) {
    say(spdlog::level::err, text);
}

void warning(std::string_view text) {
    say(spdlog::level::warn, text);
}

void info(std::string_view text) {
    say(spdlog::level::info, text);
}

void debug(std::string_view text) {
    say(spdlog::level::debug, text);
}

} // namespace app::log
