// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/checkpoint/safetensors_header.h"

#include <nlohmann/json.hpp>
#include <unordered_set>

namespace disco::models {
namespace {

/// Follows the one shape that a header may have:
/// {"__metadata__": {text: text}, NAME: {"dtype": text, "shape": [numbers], "data_offsets": [begin, end]}, …}.
class HeaderReader : public nlohmann::json_sax<nlohmann::json> {
 public:
  [[nodiscard]] const std::string& problem() const { return problem_; }
  [[nodiscard]] Header take() { return std::move(header_); }

  bool start_object(std::size_t) override {
    if (place_ == Place::start) return go(Place::top);
    if (place_ == Place::top_value) return begin_member();
    return refuse("has an object where none belongs");
  }

  bool end_object() override {
    if (place_ == Place::top) return go(Place::finished);
    if (place_ == Place::metadata) return go(Place::top);
    if (place_ == Place::tensor) return end_tensor();
    return refuse("ends an object too early");
  }

  bool key(string_t& name) override {
    if (place_ == Place::top) return begin_top(name);
    if (place_ == Place::metadata) {
      if (header_.metadata.contains(name)) return refuse("has the metadata " + name + " twice");
      key_ = name;
      return go(Place::metadata_value);
    }
    if (place_ == Place::tensor) return begin_tensor_member(name);
    return refuse("has a name where none belongs");
  }

  bool string(string_t& text) override {
    if (place_ == Place::metadata_value) {
      header_.metadata[key_] = text;
      return go(Place::metadata);
    }
    if (place_ == Place::dtype) {
      header_.tensors.back().dtype = text;
      return go(Place::tensor);
    }
    return refuse("has text where none belongs");
  }

  bool start_array(std::size_t) override {
    if (place_ == Place::shape) return go(Place::shape_items);
    if (place_ == Place::offsets) return go(Place::offset_items);
    return refuse("has a list where none belongs");
  }

  bool end_array() override {
    if (place_ == Place::offset_items && offsets_.size() != 2)
      return refuse("has data_offsets that are not two numbers");
    if (place_ == Place::offset_items) {
      header_.tensors.back().begin = offsets_[0];
      header_.tensors.back().end = offsets_[1];
    }
    return go(Place::tensor);
  }

  bool number_unsigned(number_unsigned_t value) override {
    constexpr std::uint64_t kLargest = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    if (value > kLargest) return refuse("has a number that is too large");
    constexpr std::size_t kMostDimensions = 64;
    if (place_ == Place::shape_items) {
      if (header_.tensors.back().shape.size() == kMostDimensions) return refuse("has a tensor of too many dimensions");
      header_.tensors.back().shape.push_back(static_cast<std::int64_t>(value));
      return true;
    }
    if (place_ == Place::offset_items && offsets_.size() < 2) {
      offsets_.push_back(value);
      return true;
    }
    return refuse("has a number where none belongs");
  }

  bool number_integer(number_integer_t value) override {
    return value < 0 ? refuse("has a negative number") : number_unsigned(static_cast<number_unsigned_t>(value));
  }
  bool number_float(number_float_t, const string_t&) override { return refuse("has a number that is not whole"); }
  bool null() override { return refuse("has null where a value belongs"); }
  bool boolean(bool) override { return refuse("has true or false where none belongs"); }
  bool binary(binary_t&) override { return refuse("has binary data"); }
  bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception&) override {
    if (problem_.empty()) problem_ = "is not valid JSON (byte " + std::to_string(position) + ")";
    return false;
  }

 private:
  enum class Place {
    start,
    top,
    top_value,
    metadata,
    metadata_value,
    tensor,
    dtype,
    shape,
    shape_items,
    offsets,
    offset_items,
    finished
  };

  bool go(Place place) {
    place_ = place;
    return true;
  }
  bool refuse(std::string problem) {
    problem_ = std::move(problem);
    return false;
  }

  bool begin_top(const std::string& name) {
    if (!names_.insert(name).second) return refuse("has the name " + name + " twice");
    key_ = name;
    return go(Place::top_value);
  }

  bool begin_member() {
    if (key_ == "__metadata__") return go(Place::metadata);
    header_.tensors.emplace_back().name = key_;
    has_dtype_ = has_shape_ = has_offsets_ = false;
    offsets_.clear();
    return go(Place::tensor);
  }

  bool begin_tensor_member(const std::string& name) {
    if (name == "dtype" && !has_dtype_) {
      has_dtype_ = true;
      return go(Place::dtype);
    }
    if (name == "shape" && !has_shape_) {
      has_shape_ = true;
      return go(Place::shape);
    }
    if (name == "data_offsets" && !has_offsets_) {
      has_offsets_ = true;
      return go(Place::offsets);
    }
    return refuse("has an unexpected or repeated member " + name + " in tensor " + header_.tensors.back().name);
  }

  bool end_tensor() {
    if (!has_dtype_ || !has_shape_ || !has_offsets_)
      return refuse("lacks dtype, shape or data_offsets of tensor " + header_.tensors.back().name);
    return go(Place::top);
  }

  Header header_;
  Place place_ = Place::start;
  std::string key_;
  std::unordered_set<std::string> names_;
  std::vector<std::uint64_t> offsets_;
  bool has_dtype_ = false;
  bool has_shape_ = false;
  bool has_offsets_ = false;
  std::string problem_;
};

}  // namespace

Result<Header> parse_safetensors_header(std::string_view text, const std::string& where) {
  // The format lets the header begin with the brace only; spaces may stand behind it.
  if (!text.starts_with('{'))
    return failure("The header does not begin with a brace", where, "This is not a safetensors file");
  HeaderReader reader;
  if (!nlohmann::json::sax_parse(text, &reader)) return failure("The header " + reader.problem(), where);
  return reader.take();
}

}  // namespace disco::models
