#pragma once

#include "terminal/look.h"

namespace terminal {

enum class Align { left, centre, right };

/// Cells of a table; every row has as many as the head.
struct Table {
    std::vector<Align> align;
    std::vector<text::Pieces> head;
    std::vector<std::vector<text::Pieces>> rows;
};

/// Columns side by side, shrunk to fit by wrapping between words. Where even the longest words do not fit,
/// one line a cell, "head: cell", with a blank line between two rows.
std::vector<text::Line> lay_out(const Table& table, int width, bool unicode);

/// One line a cell, whatever the width.
std::vector<text::Line> one_by_one(const Table& table, int width);

} // namespace terminal
