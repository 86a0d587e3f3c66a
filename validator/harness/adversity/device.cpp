#include "harness/adversity/device.h"

#include <algorithm>
#include <utility>

namespace harness {
namespace {

template <class View>
Parameter<View> never_refused(Parameter<View> ids) {
    ids.specials = [specials = std::move(ids.specials)](const Extents& extents) {
        std::vector<Special> list = specials(extents);
        for (Special& each : list)
            each.refused = false;
        return list;
    };
    return ids;
}

} // namespace

Parameter<contract::Stream> stream(std::string name) {
    using contract::Stream;
    return value<Stream>(
        std::move(name),
        [](const Extents& extents, Random& random) {
            // A program may take another way for some sizes, and forget the stream there: most often for
            // large ones.
            const bool large = std::ranges::any_of(extents.values(),
                                                   [](const auto& extent) { return extent.second > 4'096; });
            if (random.chance(0.5) || large) return Named<Stream>{"one of the caller's", Stream::own};
            return Named<Stream>{"the default one", Stream::standard};
        },
        [](const Extents&) {
            return std::vector<Named<Stream>>{{"one of the caller's", Stream::own}};
        });
}

Parameter<contract::Ids> device_ids(std::string name, Dim count, Dim vocabulary) {
    return never_refused(ids(std::move(name), std::move(count), std::move(vocabulary)));
}

Parameter<contract::Ids2D> device_id_matrix(std::string name, Dim batch, Dim time, Dim vocabulary) {
    return never_refused(
        id_matrix(std::move(name), std::move(batch), std::move(time), std::move(vocabulary)));
}

} // namespace harness
