#pragma once

#include "reader/words.h"

#include <cstddef>
#include <vector>

namespace bundle {

/// Words [first, last) of one text that another one has changed into its own.
struct Edit {
    struct Range {
        std::size_t first = 0;
        std::size_t last = 0; ///< one past

        bool empty() const { return first == last; }
    };
    Range before;
    Range after;
};

/// What turns the words of `before` into those of `after`, in order: whole lines, as a reader would see it.
std::vector<Edit> changed_lines(const std::vector<reader::Word>& before,
                                const std::vector<reader::Word>& after);

/// The same edit as edits of words. What is only added or only removed stays whole.
std::vector<Edit> changed_words(const std::vector<reader::Word>& before,
                                const std::vector<reader::Word>& after, const Edit& edit);

} // namespace bundle
