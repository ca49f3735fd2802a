// A vector in somebody else's memory: how functions take what they read and what they write.
//
// It is made of anything with data() and size() whose numbers lie side by side: std::vector, std::array, std::span, an
// array, and Eigen's vectors, Maps and Blocks, without knowing Eigen. std::span itself refuses those, because the
// iterators of Eigen 3.4 are no contiguous iterators of C++20. Nothing is copied.
#pragma once

#include <cstddef>
#include <iterator>
#include <span>
#include <type_traits>
#include <utility>

namespace ulna {

template <class T>
class VectorView;

namespace view_detail {

template <class V>
using Element = std::remove_pointer_t<decltype(std::data(std::declval<V&>()))>;
template <class T>
using ArrayPointer = T (*)[];

/// The same numbers, const at most.
template <class V, class T>
concept HoldsNumbers = std::is_convertible_v<ArrayPointer<Element<V>>, ArrayPointer<T>>;

/// Eigen's types say at compile time how far neighbours are apart; others with data() have them side by side. A row of
/// a column-major matrix is refused by this, and so is a Map with a stride that only the program knows.
template <class V>
constexpr bool side_by_side() {
  if constexpr (requires { V::InnerStrideAtCompileTime; })
    return V::InnerStrideAtCompileTime == 1;
  else
    return true;
}

/// A matrix of Eigen has a size() too.
template <class V>
constexpr bool one_column() {
  if constexpr (requires { V::IsVectorAtCompileTime; })
    return V::IsVectorAtCompileTime;
  else
    return true;
}

/// Views among temporaries: results written through them stay. Those in a vector that is a temporary would be lost.
template <class V>
constexpr bool view_of_other() {
  if constexpr (requires { typename V::PlainObject; })
    return !std::is_same_v<typename V::PlainObject, V>;
  else
    return std::ranges::enable_borrowed_range<V>;
}

// What views may be made of; V is as a forwarding reference has it.

template <class V, class T>
concept Lasting = std::is_const_v<T> || std::is_lvalue_reference_v<V> || view_of_other<std::remove_cvref_t<V>>();

template <class V, class T>
concept VectorOf = !std::is_same_v<std::remove_cvref_t<V>, VectorView<T>> && HoldsNumbers<V, T> &&
                   side_by_side<std::remove_cvref_t<V>>() && one_column<std::remove_cvref_t<V>>() && Lasting<V, T>;

}  // namespace view_detail

/// A std::span with more ways in, so that what takes a span takes it.
template <class T>
class VectorView : public std::span<T> {
 public:
  constexpr VectorView() = default;
  constexpr VectorView(T* data, std::size_t size) : std::span<T>(data, size) {}

  template <view_detail::VectorOf<T> V>
  constexpr VectorView(V&& v)  // NOLINT(bugprone-forwarding-reference-overload): not for itself
      : std::span<T>(std::data(v), static_cast<std::size_t>(std::size(v))) {}
};

/// As arguments of functions over a scalar T. T is not deduced from them: it is that of the workspace.
template <class T>
using VectorIn = std::type_identity_t<VectorView<const T>>;
template <class T>
using VectorOut = std::type_identity_t<VectorView<T>>;

}  // namespace ulna
