#pragma once

#include "subject/codec.h"
#include "subject/message.h"
#include "subject/protocol.h"
#include "subject/shim/call.h"
#include "subject/shim/device.h"

#include <map>
#include <tuple>
#include <vector>

/// The worker's side of the call protocol. Everything here shares a process with a learner's code and is
/// trusted by nobody.
namespace subject::shim {

/// Objects made by the submission, by the number the driver knows them under.
template <class Base>
std::map<std::uint64_t, std::unique_ptr<Base>>& objects() {
    static std::map<std::uint64_t, std::unique_ptr<Base>> all;
    return all;
}
/// The number of the last one.
inline std::uint64_t last_object = 0;

/// What a parameter of type T is kept as while the call runs.
template <class T>
struct Stored {
    using type = std::remove_cvref_t<T>;
};
template <ObjectReference T>
struct Stored<T> {
    using type = T;
};

template <class T>
typename Stored<T>::type take_argument(Call& call, [[maybe_unused]] DeviceMemory& device) {
    using Value = std::remove_cvref_t<T>;
    if constexpr (ObjectReference<T>) {
        return *objects<Value>().at(call.arguments.take<std::uint64_t>());
    } else if constexpr (DeviceArgument<Value>) {
        return device.take<Value>();
    } else if constexpr (View<Value>) {
        using Traits = ViewTraits<Value>;
        const auto where = call.arguments.take<BufferRef>();
        std::byte* data =
            where.region == no_region ? nullptr : call.regions.at(where.region).data + where.offset;
        return Traits::at(call.arguments.take<Value>(), reinterpret_cast<typename Traits::Element*>(data));
    } else {
        return call.arguments.take<Value>();
    }
}

template <class T>
void put_result(Call& call, T&& result) {
    using Value = std::remove_cvref_t<T>;
    if constexpr (ObjectResult<Value>::value) {
        std::uint64_t id = 0;
        if (result) {
            id = ++last_object;
            objects<typename ObjectResult<Value>::Class>().emplace(id, std::move(result));
        }
        call.reply.put(id);
    } else if constexpr (ArrayResult<Value>::value) {
        const std::size_t bytes = result.size() * sizeof(typename Value::value_type);
        if (bytes > call.results_bytes)
            throw std::length_error("the returned array is larger than the call has room for");
        if (bytes > 0) std::memcpy(call.results, result.data(), bytes);
        call.reply.put(ResultRef{bytes});
    } else {
#if __has_builtin(__builtin_clear_padding)
        __builtin_clear_padding(
            &result); // what lies between members is chance, and transcripts compare bytes
#endif
        call.reply.put(result);
    }
}

template <class Result, class... Arguments>
void invoke(Result (*function)(Arguments...), Call& call) {
    if constexpr (ObjectResult<Result>::value)
        if (call.ends != 0) {
            objects<typename ObjectResult<Result>::Class>().erase(call.ends);
            return;
        }
    DeviceMemory device(call);
    // Braces, because only they promise the order in which arguments are taken from the message.
    std::tuple<typename Stored<Arguments>::type...> arguments{take_argument<Arguments>(call, device)...};
    device.begin();
    const auto run = [&](auto&... values) -> Result { return function(values...); };
    if constexpr (std::is_void_v<Result>) {
        std::apply(run, arguments);
        device.finish();
    } else {
        Result result = std::apply(run, arguments);
        device.finish();
        put_result(call, std::move(result));
    }
}

/// The functions of one implementation of a contract, in the order in which the contract lists them.
struct Table {
    const char* name; ///< empty for a submission, else the mistake's
    void (*const* entries)(Call&);
    std::size_t size;
    /// What chooses among several implementations that share code, and the number of this one; or null.
    int* selector = nullptr;
    int number = 0;
};

/// All implementations in this program: one submission, or every mistake of a problem.
extern const Table* const tables[];
extern const std::size_t table_count;

} // namespace subject::shim
