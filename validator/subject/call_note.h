#pragma once

#include "subject/aggregate.h"
#include "subject/views.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <string>

namespace subject {

/// The first elements of what a view shows, as text: "{2, 3, 5}". Nothing where there are many.
constexpr std::size_t max_shown_elements = 8;

/// A call as words: "lookup(6 x 3, {2, 3, 5, 1}, 4 x 3 with rows 5 apart)". It is taken at every call and
/// printed after few, so it copies what it needs, and the copying is cheap. The suite's memory may be gone by
/// then.
class CallNote {
  public:
    template <class... Arguments>
    void take(const char* function, const Arguments&... arguments) {
        function_ = function;
        count_ = 0;
        (take_one(arguments), ...);
    }
    void clear() { function_ = nullptr; }

    /// Empty where no call was taken.
    std::string print() const;
    std::string function() const { return function_ == nullptr ? "" : function_; }

  private:
    struct Argument {
        std::string (*print)(const Argument&) = nullptr;
        std::size_t elements = 0; ///< how many were copied
        alignas(16) std::array<std::byte, 64> value;
        alignas(16) std::array<std::byte, 64> content; ///< the first elements of a view
    };

    template <class T>
    void take_one(const T& argument) {
        if (count_ == arguments_.size()) return;
        Argument& note = arguments_[count_++];
        note.print = [](const Argument&) { return std::string("…"); };
        if constexpr (std::is_trivially_copyable_v<T> && std::is_default_constructible_v<T> &&
                      sizeof(T) <= sizeof note.value) {
            std::memcpy(note.value.data(), &argument, sizeof(T));
            note.elements = 0;
            if constexpr (View<T>) copy_content(argument, note);
            note.print = print_one<T>;
        }
    }

    template <class T>
    static void copy_content(const T& view, Argument& note) {
        using Element = std::remove_const_t<typename ViewTraits<T>::Element>;
        const std::size_t count = ViewTraits<T>::extent(view);
        if (!std::is_const_v<typename ViewTraits<T>::Element> || count > max_shown_elements ||
            count * sizeof(Element) > sizeof note.content || ViewTraits<T>::data(view) == nullptr)
            return;
        std::memcpy(note.content.data(), ViewTraits<T>::data(view), count * sizeof(Element));
        note.elements = count;
    }

    template <class T>
    static std::string print_one(const Argument& note) {
        T argument{};
        std::memcpy(static_cast<void*>(&argument), note.value.data(), sizeof(T));
        if constexpr (View<T>) {
            using Element = std::remove_const_t<typename ViewTraits<T>::Element>;
            if constexpr (std::is_same_v<Element, char>)
                if (note.elements == ViewTraits<T>::extent(argument)) return quoted(note);
            if (note.elements == 0) return print_shape(argument);
            std::string text;
            for (std::size_t i = 0; i < note.elements; ++i) {
                Element element{};
                std::memcpy(&element, note.content.data() + i * sizeof(Element), sizeof(Element));
                text += (i == 0 ? "{" : ", ") + print_value(element);
            }
            const std::string shape = print_shape(argument);
            return shape.find(" x ") == std::string::npos ? text + "}" : shape + " " + text + "}";
        } else {
            return print_value(argument);
        }
    }

    static std::string quoted(const Argument& note) {
        return '"' + std::string(reinterpret_cast<const char*>(note.content.data()), note.elements) + '"';
    }

    template <class T>
    static std::string print_shape(const T& view) {
        const auto number = [](std::size_t size) { return std::to_string(size); };
        if constexpr (requires {
                          view.batch;
                          view.time;
                          view.channels;
                      }) {
            return number(view.batch) + " x " + number(view.time) + " x " + number(view.channels);
        } else if constexpr (requires {
                                 view.rows;
                                 view.cols;
                                 view.stride;
                             }) {
            return number(view.rows) + " x " + number(view.cols) +
                   (view.stride == view.cols ? "" : " with rows " + number(view.stride) + " apart");
        } else {
            return number(ViewTraits<T>::extent(view)) + " elements";
        }
    }

    const char* function_ = nullptr;
    std::size_t count_ = 0;
    std::array<Argument, 10> arguments_;
};

// The views that most contracts have are compiled once, with the protocol.
extern template std::string CallNote::print_one<contract::Matrix<const float>>(const Argument&);
extern template std::string CallNote::print_one<contract::Matrix<float>>(const Argument&);
extern template std::string CallNote::print_one<contract::Tensor3<const float>>(const Argument&);
extern template std::string CallNote::print_one<contract::Tensor3<float>>(const Argument&);
extern template std::string CallNote::print_one<std::span<const float>>(const Argument&);
extern template std::string CallNote::print_one<std::span<float>>(const Argument&);
extern template std::string CallNote::print_one<std::span<const std::int32_t>>(const Argument&);
extern template std::string CallNote::print_one<contract::Matrix<const std::int32_t>>(const Argument&);

} // namespace subject
