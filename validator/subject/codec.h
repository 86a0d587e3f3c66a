#pragma once

#include "subject/views.h"

#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

/// Which kinds of parameter and result cross the call protocol; both sides agree on them here.
namespace subject {

/// An object that lives in the worker, as the driver sees it: a number. It dies with the worker.
template <class Base>
struct Object {
    std::uint64_t id = 0;
    bool valid() const { return id != 0; } ///< false where the submission returned a null pointer
};

/// A parameter that refers to an object of a contract's abstract class.
template <class T>
concept ObjectReference = std::is_lvalue_reference_v<T> && std::is_polymorphic_v<std::remove_cvref_t<T>>;

template <class T>
struct ObjectResult : std::false_type {};
template <class Base>
struct ObjectResult<std::unique_ptr<Base>> : std::true_type {
    using Class = Base;
};

/// A returned array: its elements travel through the results zone of the arena.
template <class T>
struct ArrayResult : std::false_type {};
template <class T>
struct ArrayResult<std::vector<T>>
    : std::bool_constant<std::is_trivially_copyable_v<T> && !std::is_same_v<T, bool>> {};
template <>
struct ArrayResult<std::string> : std::true_type {};

template <class T>
struct DriverType {
    using type = std::remove_cvref_t<T>;
};
template <ObjectReference T>
struct DriverType<T> {
    using type = Object<std::remove_cvref_t<T>>;
};
template <class Base>
struct DriverType<std::unique_ptr<Base>> {
    using type = Object<Base>;
};
template <>
struct DriverType<void> {
    using type = void;
};

/// What the suite passes or gets where the contract says T.
template <class T>
using driver_t = typename DriverType<T>::type;

} // namespace subject
