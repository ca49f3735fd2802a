// Calls a function of C whose arguments are pointers to arrays, as many as only the program knows.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <utility>

#pragma GCC visibility push(hidden)
namespace ulna::trace {

template <class T>
using ArrayCall = void (*)(void* function, T* const* arrays);

namespace call_detail {

/// Inputs are const in C; that makes no difference to a call.
template <class T, std::size_t... I>
ArrayCall<T> call_with(std::index_sequence<I...>) {
  return [](void* function, T* const* arrays) {
    reinterpret_cast<void (*)(std::conditional_t<true, T*, std::integral_constant<std::size_t, I>>...)>(function)(
        arrays[I]...);
  };
}

}  // namespace call_detail

template <class T>
ArrayCall<T> call_of_arrays(std::size_t count) {
  constexpr std::size_t most = 9;
  ArrayCall<T> call = nullptr;
  [&]<std::size_t... N>(std::index_sequence<N...>) {
    ((count == N ? void(call = call_detail::call_with<T>(std::make_index_sequence<N>{})) : void()), ...);
  }
  (std::make_index_sequence<most + 1>{});
  if (call == nullptr) throw std::logic_error("a function of too many arrays");
  return call;
}

}  // namespace ulna::trace
#pragma GCC visibility pop
