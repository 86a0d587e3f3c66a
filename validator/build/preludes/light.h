// The standard headers that nearly every submission includes, and that cost next to nothing once precompiled.
// What is missing here is missing on purpose: <string> and all that includes it (<memory>, <stdexcept>,
// <thread>, <iostream>) instantiate 30 ms worth of templates in every file, used or not. `full.h` has those.
#include <cstddef>
// The special functions of <cmath> (Bessel, Legendre, …) instantiate their templates in every file, used or
// not, for 16 ms. A submission that names one of them is compiled without a prelude.
#undef _GLIBCXX_USE_STD_SPEC_FUNCS
#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cfloat>
#include <climits>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <initializer_list>
#include <limits>
#include <map>
#include <numbers>
#include <numeric>
#include <optional>
#include <span>
#include <tuple>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>
