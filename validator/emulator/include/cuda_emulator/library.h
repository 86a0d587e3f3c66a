#pragma once

/// The part of libcu++ that is the standard library under another name: on a device its functions may be
/// called, and so they may here.

#include "../cuda_runtime.h"

#include <array>
#include <bit>
#include <complex>
#include <functional>
#include <initializer_list>
#include <limits>
#include <numeric>
#include <optional>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>

namespace cuda::std {
using namespace ::std;
}
