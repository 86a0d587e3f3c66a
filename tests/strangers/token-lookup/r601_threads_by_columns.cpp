// right: the ids are checked backwards (the smallest bad index survives), and threads share the COLUMNS, not the rows; the calling thread copies whatever no thread could be started for
#include "contract.h"

#include <algorithm>
#include <cstring>
#include <exception>
#include <thread>
#include <vector>

namespace exercise {

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (ids.size() != out.rows || table.cols != out.cols) return Status{Code::shape_mismatch};

    Status verdict;
    for (std::size_t back = ids.size(); back-- > 0;) {
        const TokenId id = ids[back];
        const bool good = id >= 0 && static_cast<std::uint64_t>(id) < table.rows;
        if (!good) verdict = Status::id_out_of_range(back, id, table.rows);
    }
    if (verdict.code != Code::ok) return verdict;

    const std::size_t width = table.cols;
    if (ids.empty() || width == 0) return verdict;

    const auto copy_columns = [=](std::size_t first, std::size_t last) {
        for (std::size_t i = 0; i < ids.size(); ++i)
            std::memcpy(out.row(i) + first, table.row(static_cast<std::size_t>(ids[i])) + first,
                        (last - first) * sizeof(float));
    };

    constexpr std::size_t strip = 256;
    const std::size_t strips = (width + strip - 1) / strip;
    const std::size_t helpers =
        ids.size() < 512 ? 0 : std::min<std::size_t>(3, strips - 1); // small work is not worth a thread
    const std::size_t share = (strips + helpers) / (helpers + 1) * strip;

    std::vector<std::thread> crew;
    std::size_t begin = 0;
    try {
        crew.reserve(helpers);
        for (; crew.size() < helpers && begin + share < width; begin += share)
            crew.emplace_back(copy_columns, begin, begin + share);
    } catch (const std::exception&) {
        // the rest is done here
    }
    copy_columns(begin, width);
    for (std::thread& one : crew)
        one.join();
    return verdict;
}

} // namespace exercise
