#include "diagnosis/std_headers.h"

#include "text/nearest.h"

#include <array>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

namespace diagnosis {
namespace {

struct Header {
    std::string_view name;
    std::string_view names; ///< each with a blank before and after
};

constexpr std::array<Header, 34> headers{{
    {"vector", " vector "},
    {"string", " string to_string stoi stof stod getline "},
    {"string_view", " string_view "},
    {"array", " array "},
    {"span", " span "},
    {"map", " map multimap "},
    {"set", " set multiset "},
    {"unordered_map", " unordered_map "},
    {"unordered_set", " unordered_set "},
    {"queue", " queue priority_queue "},
    {"deque", " deque "},
    {"tuple", " tuple tie make_tuple "},
    {"utility", " pair move swap forward exchange make_pair "},
    {"optional", " optional nullopt "},
    {"variant", " variant visit "},
    {"functional", " function plus multiplies hash ref "},
    {"memory", " unique_ptr shared_ptr make_unique make_shared "},
    {"algorithm",
     " sort stable_sort copy copy_n fill fill_n find find_if count min max minmax clamp transform reverse "
     "max_element min_element any_of all_of none_of for_each generate shuffle lower_bound "},
    {"numeric", " accumulate iota inner_product reduce partial_sum transform_reduce "},
    {"cmath",
     " sqrt exp log log2 pow sin cos tan tanh abs fabs floor ceil round isnan isinf isfinite fma hypot erf "},
    {"numbers", " numbers "},
    {"limits", " numeric_limits "},
    {"cstring", " memcpy memmove memset memcmp strlen "},
    {"cstdint", " int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t "},
    {"cstdio", " printf fprintf puts snprintf "},
    {"iostream", " cout cerr cin endl clog "},
    {"sstream", " stringstream ostringstream istringstream "},
    {"random", " mt19937 mt19937_64 random_device normal_distribution uniform_real_distribution "
               "uniform_int_distribution bernoulli_distribution "},
    {"thread", " thread jthread this_thread "},
    {"mutex", " mutex lock_guard unique_lock scoped_lock "},
    {"atomic", " atomic atomic_ref "},
    {"stdexcept", " runtime_error invalid_argument out_of_range logic_error "},
    {"bit", " bit_cast popcount "},
    {"chrono", " chrono "},
}};

} // namespace

std::optional<std::string_view> header_of(std::string_view name) {
    if (name.find(' ') != std::string_view::npos) return std::nullopt;
    const std::string word = " " + std::string(name) + " ";
    for (const Header& header : headers)
        if (header.names.find(word) != std::string_view::npos) return header.name;
    return std::nullopt;
}

std::optional<std::string> nearest_std_name(const std::string& name) {
    std::vector<std::string> known;
    for (const Header& header : headers) {
        std::istringstream words{std::string(header.names)};
        known.insert(known.end(), std::istream_iterator<std::string>(words), {});
    }
    return text::nearest(name, known);
}

} // namespace diagnosis
