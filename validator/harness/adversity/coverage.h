#pragma once

#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace harness {

/// A circumstance that a parameter, an extent or a pair of them can be in.
enum class Adversity {
    sizes,               ///< an extent at its boundaries
    paired,              ///< two extents at their boundaries at once
    empty,               ///< an extent that is 0
    null,                ///< null pointers in the views that are empty
    gaps,                ///< rows that lie apart
    special,             ///< a content, a value or a layout at which implementations go wrong
    refused,             ///< a value or a shape that the contract refuses
    repeated,            ///< changed in place between two calls
    far,                 ///< beyond element 2^32
    moved,               ///< the same call, its views elsewhere
    two_specials,        ///< of one parameter together with those of another
    two_refusals,        ///< of one parameter together with those of another
    empty_and_refused,   ///< an empty axis together with what is refused
    special_and_refused, ///< what is special about one parameter together with a refusal of another
};

const char* name(Adversity adversity);

/// Which circumstances were reached: calls were made in them, and their results compared.
class Coverage {
  public:
    struct Row {
        std::string function;
        std::string parameter; ///< or extent
        Adversity adversity{};
        bool reached = false;
        std::string left_out; ///< why a suite takes it out, or empty

        bool operator==(const Row&) const = default;
    };

    /// A domain: what has to be reached, or left out with a reason.
    void declare(const std::string& function, const std::string& parameter, Adversity adversity);
    void reach(const std::string& function, const std::string& parameter, Adversity adversity);
    void leave_out(const std::string& function, const std::string& parameter, Adversity adversity,
                   const std::string& reason);

    std::vector<Row> rows() const; ///< by function, parameter and kind
    std::vector<Row> gaps() const; ///< those neither reached nor left out

  private:
    Row& row(const std::string& function, const std::string& parameter, Adversity adversity);

    std::map<std::tuple<std::string, std::string, Adversity>, Row> rows_;
};

} // namespace harness
