// What a submission gets that includes a standard header beyond those of `light.h`.
#include "light.h"

#include <atomic>
#include <condition_variable>
#include <iomanip>
#include <iostream>
#include <iterator>
#include <memory>
#include <mutex>
#include <queue>
#include <random>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <unordered_set>
