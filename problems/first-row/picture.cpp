#include "common/picture.h"
#include "contract.h"

using namespace exercise;

int main() {
    return picture::scene("One row of a table", [] {
        std::vector<float> table = picture::numbers(6 * 4, 1), row(4);
        const Matrix<const float> view(table.data(), 6, 4);
        copy_row(view, 3, row);

        picture::figure("Row 3, copied",
                        "The row on the right is the fourth of the table: rows count from 0.");
        picture::axes("rows", "columns");
        picture::heat("table", view);
        picture::heat("out", Matrix<float>(row.data(), 1, 4), {"row 3"});
    });
}
