#pragma once

#include "common/matrix.h"
#include "common/tensor.h"

#include <concepts>
#include <span>
#include <string_view>

/// Argument types that point at memory they do not own. A row here is all the call protocol needs to know of
/// one: its elements, how far they reach, and the same view over another place.
namespace subject {

template <class T>
struct ViewTraits;

template <class T>
struct ViewTraits<std::span<T>> {
    using Element = T;
    static T* data(std::span<T> view) { return view.data(); }
    static std::size_t extent(std::span<T> view) { return view.size(); }
    static std::span<T> at(std::span<T> view, T* data) { return {data, view.size()}; }
};

template <>
struct ViewTraits<std::string_view> {
    using Element = const char;
    static const char* data(std::string_view view) { return view.data(); }
    static std::size_t extent(std::string_view view) { return view.size(); }
    static std::string_view at(std::string_view view, const char* data) { return {data, view.size()}; }
};

template <class T>
struct ViewTraits<contract::Matrix<T>> {
    using Element = T;
    static T* data(const contract::Matrix<T>& view) { return view.data; }
    static std::size_t extent(const contract::Matrix<T>& view) {
        return view.rows == 0 || view.cols == 0 ? 0 : (view.rows - 1) * view.stride + view.cols;
    }
    static contract::Matrix<T> at(const contract::Matrix<T>& view, T* data) {
        return {data, view.rows, view.cols, view.stride};
    }
};

template <class T>
struct ViewTraits<contract::Tensor3<T>> {
    using Element = T;
    static T* data(const contract::Tensor3<T>& view) { return view.data; }
    static std::size_t extent(const contract::Tensor3<T>& view) {
        return view.batch * view.time * view.channels;
    }
    static contract::Tensor3<T> at(const contract::Tensor3<T>& view, T* data) {
        return {data, view.batch, view.time, view.channels};
    }
};

/// Any view of a contract's own that has a public `data` pointer and says with `extent()` how many elements
/// it reaches.
template <class V>
requires requires(V view) {
    {*view.data};
    { view.extent() } -> std::convertible_to<std::size_t>;
}
struct ViewTraits<V> {
    using Element = std::remove_pointer_t<decltype(V::data)>;
    static Element* data(const V& view) { return view.data; }
    static std::size_t extent(const V& view) { return view.extent(); }
    static V at(V view, Element* data) {
        view.data = data;
        return view;
    }
};

template <class T>
concept View = requires {
    typename ViewTraits<T>::Element;
};

} // namespace subject
