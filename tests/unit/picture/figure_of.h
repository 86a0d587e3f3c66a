#pragma once
#include "picture/figure.h"

#include <utility>

namespace test {

/// A figure with a single chart.
inline picture::Figure figure_of(picture::Chart chart) {
    picture::Figure figure;
    figure.charts.push_back(std::move(chart));
    return figure;
}

} // namespace test
