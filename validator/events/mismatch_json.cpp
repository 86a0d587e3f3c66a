#include "events/mismatch_json.h"

#include <cmath>
#include <limits>
#include <stdexcept>

namespace events {
namespace {

using Json = nlohmann::json;

/// JSON has no infinity; a text stands for it.
Json number(double value) {
    return std::isfinite(value) ? Json(value) : Json("inf");
}
double number(const Json& json) {
    return json.is_number() ? json.get<double>() : std::numeric_limits<double>::infinity();
}

/// JSON has no NaN either, and no element without a value.
Json element(double value, bool blank) {
    if (blank) return nullptr;
    if (std::isnan(value)) return "nan";
    if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
    return value;
}
double element(const Json& json) {
    if (json.is_number()) return json.get<double>();
    if (json == "inf" || json == "-inf") {
        constexpr double infinity = std::numeric_limits<double>::infinity();
        return json == "inf" ? infinity : -infinity;
    }
    return std::numeric_limits<double>::quiet_NaN();
}

Json elements(const std::vector<double>& values, const std::vector<bool>& blank) {
    Json json = Json::array();
    for (std::size_t i = 0; i < values.size(); ++i)
        json.push_back(element(values[i], blank[i]));
    return json;
}

Json to_json(const model::Sample& sample) {
    return {{"at", {sample.first_row, sample.first_col}},
            {"rows", sample.rows},
            {"cols", sample.cols},
            {"expected", elements(sample.expected, sample.expected_blank)},
            {"got", elements(sample.got, sample.got_blank)}};
}

model::Sample to_sample(const Json& json) {
    model::Sample sample;
    sample.first_row = json.at("at").at(0);
    sample.first_col = json.at("at").at(1);
    sample.rows = json.at("rows");
    sample.cols = json.at("cols");
    if (sample.rows > model::Sample::max_rows || sample.cols > model::Sample::max_cols ||
        json.at("expected").size() != sample.rows * sample.cols ||
        json.at("got").size() != sample.rows * sample.cols)
        throw std::runtime_error("a sample that is not of its size");
    for (const Json& value : json.at("expected")) {
        sample.expected.push_back(element(value));
        sample.expected_blank.push_back(value.is_null());
    }
    for (const Json& value : json.at("got")) {
        sample.got.push_back(element(value));
        sample.got_blank.push_back(value.is_null());
    }
    return sample;
}

} // namespace

nlohmann::json mismatch_json(const model::Mismatch& mismatch) {
    return {{"what", mismatch.what},
            {"index", mismatch.index},
            {"expected", mismatch.expected},
            {"got", mismatch.got},
            {"abs", number(mismatch.worst_abs)},
            {"rel", number(mismatch.worst_rel)},
            {"different", mismatch.different},
            {"total", mismatch.total},
            {"sample", mismatch.sample ? to_json(*mismatch.sample) : Json()}};
}

model::Mismatch to_mismatch(const nlohmann::json& json) {
    return {json.at("what"),
            json.at("index").get<std::vector<std::uint64_t>>(),
            json.at("expected"),
            json.at("got"),
            number(json.at("abs")),
            number(json.at("rel")),
            json.at("different"),
            json.at("total"),
            json.at("sample").is_null() ? std::nullopt : std::optional(to_sample(json.at("sample")))};
}

} // namespace events
