// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <tl/expected.hpp>
#include <utility>

namespace disco {

/// An expected failure (file, setting, memory, network) on its way to the one place that shows it.
struct Error {
  std::string what;   ///< what is wrong, a sentence without its full stop
  std::string where;  ///< the file, member or setting it is about; may be empty
  std::string hint;   ///< what to do about it; may be empty

  /// "where: what. hint" with the empty parts left out.
  [[nodiscard]] std::string message() const;
};

template <class T>
using Result = tl::expected<T, Error>;

[[nodiscard]] inline tl::unexpected<Error> failure(std::string what, std::string where = {}, std::string hint = {}) {
  return tl::unexpected<Error>(Error{std::move(what), std::move(where), std::move(hint)});
}

}  // namespace disco

#define DISCO_CONCAT_INNER(a, b) a##b
#define DISCO_CONCAT(a, b) DISCO_CONCAT_INNER(a, b)

/// DISCO_TRY(auto x, expression): declares x from the value of a Result, or returns its error from this function.
#define DISCO_TRY(declaration, expression)                                           \
  auto DISCO_CONCAT(disco_result_, __LINE__) = (expression);                         \
  if (!DISCO_CONCAT(disco_result_, __LINE__))                                        \
    return tl::unexpected(std::move(DISCO_CONCAT(disco_result_, __LINE__)).error()); \
  declaration = std::move(*DISCO_CONCAT(disco_result_, __LINE__))

/// DISCO_CHECK(expression): returns the error of a Result<void> (or any other Result) from this function.
#define DISCO_CHECK(expression)                                                \
  do {                                                                         \
    auto disco_check_ = (expression);                                          \
    if (!disco_check_) return tl::unexpected(std::move(disco_check_).error()); \
  } while (false)
