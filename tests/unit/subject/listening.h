#pragma once

#include "subject/session.h"

#include <string>
#include <vector>

/// What a session told about its calls, as short lines.
struct Listening : subject::Listener {
    std::vector<std::string> heard;
    subject::Death death;

    void died(const char* function, const subject::Death& how) override {
        heard.push_back(std::string("died ") + function);
        death = how;
    }
    void not_implemented(const char* function) override {
        heard.push_back(std::string("not implemented ") + function);
    }
    void out_of_memory(const char* function) override {
        heard.push_back(std::string("out of memory ") + function);
    }
    void device_failed(const char* function, const std::string& words) override {
        heard.push_back(std::string("device failed ") + function + ": " + words);
    }
    void overran(const char*, int argument, bool before) override {
        heard.push_back((before ? "before " : "after ") + std::to_string(argument));
    }
    void changed_input(const char*, int argument) override {
        heard.push_back("changed " + std::to_string(argument));
    }
    void left_modes(const char* function) override { heard.push_back(std::string("modes ") + function); }
    void wrote_kept(const char* function, subject::Kept) override {
        heard.push_back(std::string("kept ") + function);
    }
};
