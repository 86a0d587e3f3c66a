// wrong: phases are reduced with 2 * 3.14159265, so at phases of some thousand and more (p from about 2,000 on in the first columns) values are off by more than 1e-6
#include "contract.h"
#include <cmath>
using namespace std;

const double PI = 3.14159265;

namespace exercise {

void sinusoidal_row(size_t position, double base, span<float> row) {
    size_t C = row.size();
    for (size_t i = 0; 2 * i < C; i++) {
        double w = 1.0 / pow(base, 2.0 * i / C);
        double angle = fmod(position * w, 2 * PI); // keep the argument small: more exact
        row[2 * i] = (float)sin(angle);
        if (2 * i + 1 < C) row[2 * i + 1] = (float)cos(angle);
    }
}

void sinusoidal(Matrix<float> pe, double base) {
    for (size_t p = 0; p < pe.rows; p++) sinusoidal_row(p, base, span<float>(pe.row(p), pe.cols));
}

} // namespace exercise
