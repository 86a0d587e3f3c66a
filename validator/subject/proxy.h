#pragma once

#include "subject/codec.h"
#include "subject/session.h"

#include <cstring>

namespace subject {

template <class T>
constexpr ElementKind element_kind = std::is_same_v<std::remove_cv_t<T>, float>    ? ElementKind::float32
                                     : std::is_same_v<std::remove_cv_t<T>, double> ? ElementKind::float64
                                                                                   : ElementKind::bytes;

/// The memory a view argument points at.
template <class T>
void collect(const T& argument, int number, std::vector<Buffer>& buffers) {
    if constexpr (View<T>) {
        using Traits = ViewTraits<T>;
        using Element = typename Traits::Element;
        auto* data = const_cast<std::remove_const_t<Element>*>(Traits::data(argument));
        buffers.push_back({.data = reinterpret_cast<std::byte*>(data),
                           .bytes = Traits::extent(argument) * sizeof(Element),
                           .writable = !std::is_const_v<Element>,
                           .kind = element_kind<Element>,
                           .argument = number,
                           .alignment = alignof(Element)});
    }
}

template <class T>
void encode(Writer& message, const T& argument, int number, const std::vector<PlacedRegion>& regions) {
    if constexpr (View<T>) {
        using Traits = ViewTraits<T>;
        message.put(locate(regions, reinterpret_cast<const std::byte*>(Traits::data(argument)), number));
        message.put(
            Traits::at(argument, nullptr)); // sizes and strides; the other side puts in its own pointer
    } else {
        message.put(argument);
    }
}

template <class T>
driver_t<T> decode_result(const Reply& reply) {
    if constexpr (ArrayResult<T>::value) {
        T result(reply.message.size() / sizeof(typename T::value_type), typename T::value_type{});
        if (!result.empty())
            std::memcpy(result.data(), reply.message.data(), result.size() * sizeof(typename T::value_type));
        return result;
    } else if constexpr (std::is_same_v<T, bool>) {
        // A byte that is neither 0 nor 1 would be true and false at once.
        return Reader(reply.message).take<unsigned char>() != 0;
    } else if constexpr (!std::is_void_v<T>) {
        return Reader(reply.message).take<driver_t<T>>();
    }
}

/// Stands for one function of the contract: called with the same arguments, it makes the call in the worker.
/// Every writable buffer comes back as the worker left it at the moment of its reply; const ones are checked.
/// Throws LearnerThrew, or CallLost when there is no result.
template <class Function>
class Proxy;

template <class Result, class... Arguments>
class Proxy<Result(Arguments...)> {
  public:
    constexpr Proxy(std::uint32_t function, const char* name) : function_(function), name_(name) {}

    driver_t<Result> operator()(const driver_t<Arguments>&... arguments) const {
        Session::current().last_call().take(name_, arguments...);
        std::vector<Buffer> buffers;
        int number = 0;
        (collect(arguments, ++number, buffers), ...);
        number = 0;
        const Reply& reply = Session::current().call(
            call_site(), buffers, [&](Writer& message, const std::vector<PlacedRegion>& regions) {
                (encode(message, arguments, ++number, regions), ...);
            });
        return decode_result<Result>(reply);
    }

    /// Ends an object that this function made, as its owner would: the destructor runs.
    template <class Base>
    void destroy(const Object<Base>& object) const requires std::is_same_v<Result, std::unique_ptr<Base>> {
        Session& session = Session::current();
        session.last_call().take("destroy", object);
        session.end_object(object.id);
        session.call({.function = function_, .name = "destroy"}, {},
                     [](Writer&, const std::vector<PlacedRegion>&) {});
    }

  private:
    constexpr CallSite call_site() const {
        CallSite site{.function = function_, .name = name_};
        if constexpr (ArrayResult<Result>::value) {
            site.array = true;
            site.result_bytes = sizeof(typename Result::value_type);
            site.result_kind = element_kind<typename Result::value_type>;
        } else if constexpr (!std::is_void_v<Result>) {
            site.object = ObjectResult<Result>::value;
            site.result_bytes = sizeof(driver_t<Result>);
            site.result_kind = element_kind<Result>;
        }
        return site;
    }

    std::uint32_t function_;
    const char* name_;
};

} // namespace subject
