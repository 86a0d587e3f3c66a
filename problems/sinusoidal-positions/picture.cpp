#include "common/picture.h"
#include "contract.h"

#include <string>
#include <vector>

using namespace exercise;

constexpr std::size_t T = 64, C = 32; // positions, channels

int main() {
    return picture::scene("Sinusoidal positions", [] {
        std::vector<float> table(T * C);
        const Matrix<float> pe(table.data(), T, C);
        sinusoidal(pe, 10'000);

        picture::figure(
            "The table",
            "Each pair of columns is a sine and a cosine. The first pairs swing fast, the last hardly move "
            "over 64 positions: like the hands of a clock.");
        picture::axes("positions", "channels");
        picture::heat("pe", pe);

        const std::size_t columns[] = {0, 1, 8, 16};
        std::vector<float> curves(4 * T);
        for (std::size_t k = 0; k < 4; ++k)
            for (std::size_t p = 0; p < T; ++p)
                curves[k * T + p] = pe(p, columns[k]);
        picture::figure("Four of its columns", "Columns 0 and 1 are a quarter of a turn apart.");
        picture::axes("", "position");
        picture::lines("columns over positions", Matrix<float>(curves.data(), 4, T),
                       {"column 0", "column 1", "column 8", "column 16"});

        std::vector<float> dots(T * T);
        for (std::size_t p = 0; p < T; ++p)
            for (std::size_t q = 0; q < T; ++q)
                for (std::size_t c = 0; c < C; ++c)
                    dots[p * T + q] += pe(p, c) * pe(q, c) / (C / 2);
        picture::figure(
            "How alike two positions are",
            "The dot product of two rows depends on their distance alone: each diagonal has one colour.");
        picture::axes("position", "position");
        picture::heat("pe times its transpose", Matrix<float>(dots.data(), T, T));

        picture::figure("The positions as points",
                        "Neighbours stay neighbours: the positions lie along a curve.");
        picture::Labels names;
        for (std::size_t p = 0; p < T; ++p)
            names.push_back(std::string(p < T / 2 ? "first half" : "second half") + ":" + std::to_string(p));
        picture::map("positions", pe, names);
    });
}
