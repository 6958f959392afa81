// SPDX-License-Identifier: GPL-3.0-or-later
//
// One description of a struct, beside the struct, that everything else walks: JSON, the command line, validation,
// documentation and the form in the window.
//
//   struct Schedule { int warmup_steps = 0; Decay decay = Decay::cosine; };
//   constexpr auto describe(std::type_identity<Schedule>) {
//     return std::tuple{field("warmup_steps", &Schedule::warmup_steps, {.label = "Warm-up", .min = 0}),
//                       field("decay", &Schedule::decay, {.label = "Decay"})};
//   }
//   DISCO_DESCRIBED(Schedule);
//
//   constexpr auto choices(std::type_identity<Decay>) {
//     return std::array{Choice{Decay::cosine, "cosine", "Cosine"}, Choice{Decay::constant, "constant", "Constant"}};
//   }
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <optional>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

namespace disco {

/// One value of an enum: the id is stored in files and never changes, the label is shown.
template <class E>
struct Choice {
  E value;
  std::string_view id;
  std::string_view label;
  std::string_view help{};
};
template <class E>
Choice(E, std::string_view, std::string_view) -> Choice<E>;
template <class E>
Choice(E, std::string_view, std::string_view, std::string_view) -> Choice<E>;

/// Which settings a person sees first.
enum class Level { basic, advanced };

/// What kind of editor suits a value better than its type alone tells.
enum class Editor { automatic, folder, file, duration, lines };

/// What people need to know about a field.
struct Meta {
  std::string_view label{};
  std::string_view help{};
  std::string_view unit{};
  std::optional<double> min{};
  std::optional<double> max{};
  bool above_min{false};  ///< the minimum itself is not allowed
  Level level{Level::basic};
  Editor editor{Editor::automatic};
  std::string_view relevant_if{};  ///< "data.source=folder,table": shown only then; empty = always
};

template <class C, class T>
struct Field {
  using Owner = C;
  using Value = T;
  std::string_view key;
  T C::*member;
  Meta meta{};
};

template <class C, class T>
constexpr Field<C, T> field(std::string_view key, T C::*member, Meta meta = {}) {
  return {key, member, meta};
}

template <class C>
concept Described = std::is_class_v<C> && requires {
  describe(std::type_identity<C>{});
};

template <class E>
concept DescribedEnum = std::is_enum_v<E> && requires {
  choices(std::type_identity<E>{});
};

/// Calls visit(field) for each described field of C, in order.
template <Described C, class Visitor>
constexpr void for_each_field(Visitor&& visit) {
  std::apply([&](const auto&... f) { (visit(f), ...); }, describe(std::type_identity<C>{}));
}

/// The stored id of an enum value. Every value has one: a value outside the table is a programmer error.
template <DescribedEnum E>
constexpr std::string_view id_of(E value) {
  for (const auto& choice : choices(std::type_identity<E>{}))
    if (choice.value == value) return choice.id;
  return {};
}

/// The label shown for an enum value.
template <DescribedEnum E>
constexpr std::string_view label_of(E value) {
  for (const auto& choice : choices(std::type_identity<E>{}))
    if (choice.value == value) return choice.label;
  return {};
}

template <DescribedEnum E>
constexpr std::optional<E> from_id(std::string_view id) {
  for (const auto& choice : choices(std::type_identity<E>{}))
    if (choice.id == id) return choice.value;
  return std::nullopt;
}

namespace detail {

struct Anything {
  template <class T>
  operator T() const noexcept;  // NOLINT(google-explicit-constructor): it must convert by itself
};

template <class T, std::size_t... I>
constexpr bool initialisable(std::index_sequence<I...>) {
  return requires { T{(static_cast<void>(I), Anything{})...}; };
}

template <class T, std::size_t N = 0>
constexpr std::size_t field_count() {
  if constexpr (initialisable<T>(std::make_index_sequence<N + 1>{}))
    return field_count<T, N + 1>();
  else
    return N;
}

}  // namespace detail

/// True when describe() names as many fields as the aggregate has.
template <Described C>
inline constexpr bool described_completely = std::tuple_size_v<decltype(describe(std::type_identity<C>{}))> ==
                                             detail::field_count<C>();

}  // namespace disco

/// Fails to compile when a member was added to Type but not to its describe().
#define DISCO_DESCRIBED(Type) \
  static_assert(::disco::described_completely<Type>, #Type ": describe() must name every member exactly once")
