// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/objectives/one_pass.h"

#include <ATen/Parallel.h>
#include <torch/types.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "engine/objectives/tile_kernels.h"

namespace disco {
namespace {

/// While no logit can lie further than this below the largest possible one, all lines share that as their shift: one
/// exponential an entry instead of two, no search for maxima, and no sum of floats gets near their smallest.
constexpr double kSharedShiftSpan = 80;

/// Text columns [Σ, D] of all ranks that the own pictures are compared with.
struct Panel {
  at::Tensor columns;
  std::vector<std::int64_t> counts;  ///< columns of each rank
  std::int64_t offset = 0;           ///< of the first column among those of all panels
  bool both_directions = false;      ///< columns are pairs of rows: they have statistics and positives of their own
  bool wanted = false;               ///< somebody wants their gradient
};

/// A rectangle of logits: rows of the own pictures, columns of one panel.
struct Area {
  std::int64_t row, rows, column, columns;
};

template <class T>
class TypedOnePass final : public OnePass {
 public:
  TypedOnePass(ContrastiveBatch batch, const ContrastiveOptions& options, WantedGradients wanted,
               Communicator& communicator)
      : batch_(std::move(batch)), options_(options), wanted_(wanted), communicator_(communicator) {}

  OnePassLoss forward() override;
  OnePassGradients backward(double factor) override;

 private:
  using Tile = tiles::Tile<T>;

  void meet();
  void prepare();
  template <class Visit>
  void for_each_area(std::int64_t row, Visit visit);
  at::Tensor place(const at::Tensor& kept, const Panel& panel, const Area& area);
  void multiply(at::Tensor& place, const Panel& panel, const Area& area) const;
  template <class Work>
  void on_threads(const at::Tensor& place, Work work) const;
  template <class Use>
  void for_each_positive(const at::Tensor& place, const Area& area, Use use);
  void raise_maxima(const at::Tensor& place, const Panel& panel, const Area& area);
  void add_exponentials(const at::Tensor& place, const Panel& panel, const Area& area);
  void add_own_extras();
  OnePassLoss merge();
  void to_gradient(at::Tensor& place, const Panel& panel, const Area& area);
  void own_extra_gradients(T factor, OnePassGradients& result);

  [[nodiscard]] const T* data(const at::Tensor& tensor) const { return tensor.const_data_ptr<T>(); }
  [[nodiscard]] T* partial(std::int64_t chunk) { return column_partial_.data() + chunk * options_.tile_columns; }
  [[nodiscard]] T exponential(T difference) const { return std::exp(scale_ * difference); }

  ContrastiveBatch batch_;
  ContrastiveOptions options_;
  WantedGradients wanted_;
  Communicator& communicator_;

  T scale_ = 1;
  double total_rows_ = 0;   ///< B
  std::int64_t first_ = 0;  ///< the own rows' place among all
  bool shared_shift_ = false;
  T shift_ = 0;  ///< of all lines, where shared
  std::vector<Panel> panels_;

  std::vector<T> row_max_, column_max_, positives_, own_extra_products_;
  std::vector<double> row_sum_, column_sum_;
  std::vector<T> row_factor_, column_factor_;  ///< ½ / z
  std::vector<T> row_partial_, column_partial_;
  at::Tensor scratch_;            ///< one tile
  std::vector<at::Tensor> kept_;  ///< raw products of the first blocks of rows, all columns
};

template <class T>
T largest_norm(const at::Tensor& rows) {
  T largest = 0;
  const T* data = rows.const_data_ptr<T>();
  for (std::int64_t i = 0; i < rows.size(0); ++i) {
    largest = std::max(largest, tiles::dot(data + i * rows.size(1), data + i * rows.size(1), rows.size(1)));
  }
  return std::sqrt(largest);
}

/// Tells every rank how many rows the others have, how long the longest is, and which gradients they want; then gathers
/// the columns.
template <class T>
void TypedOnePass<T>::meet() {
  const bool share_extras = options_.extra == ExtraNegatives::shared;
  const at::Tensor own = torch::tensor(
      {{static_cast<double>(batch_.image.size(0)), static_cast<double>(share_extras ? batch_.extra.size(0) : 0),
        static_cast<double>(largest_norm<T>(batch_.image)),
        static_cast<double>(std::max(largest_norm<T>(batch_.text), largest_norm<T>(batch_.extra))),
        wanted_.image ? 1.0 : 0.0, wanted_.text ? 1.0 : 0.0, wanted_.extra ? 1.0 : 0.0}},
      at::kDouble);
  const at::Tensor all =
      communicator_.all_gather_rows(own, std::vector<std::int64_t>(static_cast<std::size_t>(communicator_.size()), 1));
  Panel texts, extras;
  texts.both_directions = true;
  for (int rank = 0; rank < communicator_.size(); ++rank) {
    const double* row = all.const_data_ptr<double>() + rank * all.size(1);
    texts.counts.push_back(static_cast<std::int64_t>(row[0]));
    extras.counts.push_back(static_cast<std::int64_t>(row[1]));
  }
  const at::Tensor largest = all.amax(0);
  const double* most = largest.const_data_ptr<double>();
  const double bound = most[2] * most[3];
  shared_shift_ = 2 * bound * scale_ <= kSharedShiftSpan;
  shift_ = static_cast<T>(bound);
  wanted_ = {.image = most[4] > 0, .text = most[5] > 0, .extra = most[6] > 0};

  first_ = std::accumulate(texts.counts.begin(), texts.counts.begin() + communicator_.rank(), std::int64_t{0});
  texts.columns = communicator_.all_gather_rows(batch_.text, texts.counts);
  texts.wanted = wanted_.text;
  total_rows_ = static_cast<double>(texts.columns.size(0));
  TORCH_CHECK(total_rows_ > 0, "the contrastive loss needs at least one pair on some rank");
  extras.offset = texts.columns.size(0);
  panels_.push_back(std::move(texts));
  if (std::any_of(extras.counts.begin(), extras.counts.end(), [](std::int64_t count) { return count > 0; })) {
    extras.columns = communicator_.all_gather_rows(batch_.extra, extras.counts);
    extras.wanted = wanted_.extra;
    panels_.push_back(std::move(extras));
  }
}

template <class T>
void TypedOnePass<T>::prepare() {
  const auto rows = static_cast<std::size_t>(batch_.image.size(0));
  const auto columns = static_cast<std::size_t>(panels_.front().columns.size(0));
  const T start = shared_shift_ ? shift_ : -std::numeric_limits<T>::infinity();
  row_max_.assign(rows, start);
  row_sum_.assign(rows, 0);
  positives_.assign(rows, 0);
  column_max_.assign(columns, start);
  column_sum_.assign(columns, 0);

  const std::int64_t all_columns = panels_.back().offset + panels_.back().columns.size(0);
  options_.tile_rows = std::clamp<std::int64_t>(options_.tile_rows, 1, std::max<std::int64_t>(1, batch_.image.size(0)));
  options_.tile_columns = std::clamp<std::int64_t>(options_.tile_columns, 1, all_columns);
  row_partial_.resize(static_cast<std::size_t>(options_.tile_rows));
  column_partial_.resize(static_cast<std::size_t>(options_.tile_columns * at::get_num_threads()));
  scratch_ = at::empty({options_.tile_rows, options_.tile_columns}, batch_.image.options());
  const std::int64_t blocks = (batch_.image.size(0) + options_.tile_rows - 1) / options_.tile_rows;
  const std::int64_t block_bytes = options_.tile_rows * all_columns * static_cast<std::int64_t>(sizeof(T));
  kept_.resize(static_cast<std::size_t>(blocks));
  const std::int64_t fit = wanted_.any() ? std::min(blocks, options_.keep_bytes / block_bytes) : 0;
  for (std::int64_t block = 0; block < fit; ++block) {
    const std::int64_t height = std::min(options_.tile_rows, batch_.image.size(0) - block * options_.tile_rows);
    kept_[static_cast<std::size_t>(block)] = at::empty({height, all_columns}, batch_.image.options());
  }
}

/// All areas of the block of rows that begins at `row`, in order.
template <class T>
template <class Visit>
void TypedOnePass<T>::for_each_area(std::int64_t row, Visit visit) {
  const std::int64_t rows = std::min(options_.tile_rows, batch_.image.size(0) - row);
  for (std::size_t index = 0; index < panels_.size(); ++index) {
    const std::int64_t end = panels_[index].columns.size(0);
    for (std::int64_t column = 0; column < end; column += options_.tile_columns) {
      visit(index, Area{row, rows, column, std::min(options_.tile_columns, end - column)});
    }
  }
}

/// Where the area's products are: in the kept block of rows, or in the scratch tile.
template <class T>
at::Tensor TypedOnePass<T>::place(const at::Tensor& kept, const Panel& panel, const Area& area) {
  if (kept.defined()) return kept.narrow(1, panel.offset + area.column, area.columns);
  return scratch_.narrow(0, 0, area.rows).narrow(1, 0, area.columns);
}

template <class T>
void TypedOnePass<T>::multiply(at::Tensor& place, const Panel& panel, const Area& area) const {
  at::mm_out(place, batch_.image.narrow(0, area.row, area.rows),
             panel.columns.narrow(0, area.column, area.columns).t());
}

/// work(chunk, first row within the tile, tile of the chunk's rows), one chunk a thread, whichever thread that is.
template <class T>
template <class Work>
void TypedOnePass<T>::on_threads(const at::Tensor& place, Work work) const {
  const std::int64_t chunks = at::get_num_threads(), rows = place.size(0), stride = place.stride(0);
  T* data = place.mutable_data_ptr<T>();
  at::parallel_for(0, chunks, 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t chunk = begin; chunk < end; ++chunk) {
      const std::int64_t first = rows * chunk / chunks, last = rows * (chunk + 1) / chunks;
      work(chunk, first, Tile{data + first * stride, stride, last - first, place.size(1)});
    }
  });
}

/// use(own row, reference to its entry) for the pairs that lie in the area.
template <class T>
template <class Use>
void TypedOnePass<T>::for_each_positive(const at::Tensor& place, const Area& area, Use use) {
  T* data = place.mutable_data_ptr<T>();
  const std::int64_t begin = std::max(area.row, area.column - first_);
  const std::int64_t end = std::min(area.row + area.rows, area.column + area.columns - first_);
  for (std::int64_t row = begin; row < end; ++row) {
    use(static_cast<std::size_t>(row), data[(row - area.row) * place.stride(0) + first_ + row - area.column]);
  }
}

template <class T>
void TypedOnePass<T>::raise_maxima(const at::Tensor& place, const Panel& panel, const Area& area) {
  on_threads(place, [&](std::int64_t chunk, std::int64_t first, const Tile& tile) {
    T* before = row_partial_.data() + first;
    T* row_max = row_max_.data() + area.row + first;
    std::copy_n(row_max, tile.rows, before);
    if (panel.both_directions) std::copy_n(column_max_.data() + area.column, area.columns, partial(chunk));
    tiles::line_maxima(tile, row_max, panel.both_directions ? partial(chunk) : nullptr);
    for (std::int64_t i = 0; i < tile.rows; ++i) {
      row_sum_[static_cast<std::size_t>(area.row + first + i)] *= exponential(before[i] - row_max[i]);
    }
  });
  if (!panel.both_directions) return;
  for (std::int64_t j = 0; j < area.columns; ++j) {
    T& column_max = column_max_[static_cast<std::size_t>(area.column + j)];
    const T before = column_max;
    for (std::int64_t chunk = 0; chunk < at::get_num_threads(); ++chunk) {
      column_max = std::max(column_max, partial(chunk)[j]);
    }
    column_sum_[static_cast<std::size_t>(area.column + j)] *= exponential(before - column_max);
  }
}

template <class T>
void TypedOnePass<T>::add_exponentials(const at::Tensor& place, const Panel& panel, const Area& area) {
  if (!shared_shift_) raise_maxima(place, panel, area);
  const T* column_shift = shared_shift_ ? nullptr : column_max_.data() + area.column;
  on_threads(place, [&](std::int64_t chunk, std::int64_t first, const Tile& tile) {
    T* column_sum = panel.both_directions ? partial(chunk) : nullptr;
    if (column_sum != nullptr) std::fill_n(column_sum, area.columns, T{0});
    tiles::exponential_sums(tile, scale_, row_max_.data() + area.row + first, row_partial_.data() + first, column_shift,
                            column_sum);
    for (std::int64_t i = first; i < first + tile.rows; ++i) {
      row_sum_[static_cast<std::size_t>(area.row + i)] += row_partial_[static_cast<std::size_t>(i)];
    }
  });
  if (!panel.both_directions) return;
  for (std::int64_t chunk = 0; chunk < at::get_num_threads(); ++chunk) {
    for (std::int64_t j = 0; j < area.columns; ++j) {
      column_sum_[static_cast<std::size_t>(area.column + j)] += partial(chunk)[j];
    }
  }
}

/// Extras that only their owner sees: one product each.
template <class T>
void TypedOnePass<T>::add_own_extras() {
  if (options_.extra != ExtraNegatives::own) return;
  const std::int64_t width = batch_.image.size(1);
  own_extra_products_.resize(batch_.extra_owner.size());
  for (std::size_t k = 0; k < batch_.extra_owner.size(); ++k) {
    const auto owner = static_cast<std::size_t>(batch_.extra_owner[k]);
    const T product = tiles::dot(data(batch_.image) + batch_.extra_owner[k] * width,
                                 data(batch_.extra) + static_cast<std::int64_t>(k) * width, width);
    own_extra_products_[k] = product;
    if (!shared_shift_ && product > row_max_[owner]) {
      row_sum_[owner] *= exponential(row_max_[owner] - product);
      row_max_[owner] = product;
    }
    row_sum_[owner] += exponential(product - row_max_[owner]);
  }
}

/// Columns become those of all ranks: first the largest shift, then the sums at that shift. Two numbers of the loss
/// ride with the sums.
template <class T>
OnePassLoss TypedOnePass<T>::merge() {
  const auto columns = static_cast<std::int64_t>(column_sum_.size());
  if (!shared_shift_) {
    const std::vector<T> own = column_max_;
    at::Tensor shared = at::from_blob(column_max_.data(), {columns}, batch_.image.options());
    communicator_.all_reduce(shared, Reduce::max);
    for (std::size_t j = 0; j < own.size(); ++j) {
      // A rank without rows has the empty pair (−∞, 0).
      column_sum_[j] = column_sum_[j] == 0 ? 0 : column_sum_[j] * exponential(own[j] - column_max_[j]);
    }
  }
  double rows = 0, positives = 0;
  for (std::size_t i = 0; i < row_sum_.size(); ++i) {
    rows += static_cast<double>(scale_) * row_max_[i] + std::log(row_sum_[i]);
    positives += static_cast<double>(scale_) * positives_[i];
  }
  column_sum_.insert(column_sum_.end(), {rows, positives});
  at::Tensor sums = at::from_blob(column_sum_.data(), {columns + 2}, at::kDouble);
  communicator_.all_reduce(sums, Reduce::sum);
  positives = std::exchange(column_sum_.back(), 0);
  column_sum_.pop_back();
  rows = column_sum_.back();
  column_sum_.pop_back();
  double all_columns = 0;
  for (std::size_t j = 0; j < column_sum_.size(); ++j) {
    all_columns += static_cast<double>(scale_) * column_max_[j] + std::log(column_sum_[j]);
  }
  return {.image_to_text = (rows - positives) / total_rows_, .text_to_image = (all_columns - positives) / total_rows_};
}

template <class T>
OnePassLoss TypedOnePass<T>::forward() {
  scale_ = static_cast<T>(std::exp(batch_.log_scale.item<double>()));
  meet();
  prepare();
  for (std::int64_t row = 0; row < batch_.image.size(0); row += options_.tile_rows) {
    const at::Tensor& kept = kept_[static_cast<std::size_t>(row / options_.tile_rows)];
    for_each_area(row, [&](std::size_t index, const Area& area) {
      const Panel& panel = panels_[index];
      at::Tensor products = place(kept, panel, area);
      multiply(products, panel, area);
      if (panel.both_directions) {
        for_each_positive(products, area, [&](std::size_t own, const T& value) { positives_[own] = value; });
      }
      add_exponentials(products, panel, area);
    });
  }
  add_own_extras();
  const OnePassLoss loss = merge();
  const auto half_inverse = [](double sum) { return static_cast<T>(0.5 / sum); };
  row_factor_.resize(row_sum_.size());
  std::transform(row_sum_.begin(), row_sum_.end(), row_factor_.begin(), half_inverse);
  column_factor_.resize(column_sum_.size());
  std::transform(column_sum_.begin(), column_sum_.end(), column_factor_.begin(), half_inverse);
  return loss;
}

/// In place products → G = ½·(p_row − P) + ½·(p_col − Q).
template <class T>
void TypedOnePass<T>::to_gradient(at::Tensor& place, const Panel& panel, const Area& area) {
  const T* column_factor = panel.both_directions ? column_factor_.data() + area.column : nullptr;
  const T* column_shift = panel.both_directions && !shared_shift_ ? column_max_.data() + area.column : nullptr;
  on_threads(place, [&](std::int64_t, std::int64_t first, const Tile& tile) {
    const std::int64_t row = area.row + first;
    tiles::softmax_gradient(tile, scale_, row_max_.data() + row, row_factor_.data() + row, column_shift, column_factor);
  });
  if (panel.both_directions) for_each_positive(place, area, [](std::size_t, T& value) { value -= 1; });
}

template <class T>
void TypedOnePass<T>::own_extra_gradients(T factor, OnePassGradients& result) {
  const std::int64_t width = batch_.image.size(1);
  if (wanted_.extra) result.extra = at::zeros_like(batch_.extra);
  for (std::size_t k = 0; k < own_extra_products_.size(); ++k) {
    const std::int64_t owner = batch_.extra_owner[k], extra = static_cast<std::int64_t>(k);
    const auto row = static_cast<std::size_t>(owner);
    const T gradient = factor * row_factor_[row] * exponential(own_extra_products_[k] - row_max_[row]);
    if (wanted_.image) {
      tiles::add_scaled(result.image.template mutable_data_ptr<T>() + owner * width, gradient,
                        data(batch_.extra) + extra * width, width);
    }
    if (wanted_.extra) {
      tiles::add_scaled(result.extra.template mutable_data_ptr<T>() + extra * width, gradient,
                        data(batch_.image) + owner * width, width);
    }
  }
}

template <class T>
OnePassGradients TypedOnePass<T>::backward(double factor) {
  // Outside the products, so that G stays of order 1.
  const double weight = factor * static_cast<double>(scale_) / total_rows_;
  OnePassGradients result;
  if (wanted_.image) result.image = at::zeros_like(batch_.image);
  std::vector<at::Tensor> columns(panels_.size());
  for (std::size_t index = 0; index < panels_.size(); ++index) {
    if (panels_[index].wanted) columns[index] = at::zeros_like(panels_[index].columns);
  }
  for (std::int64_t row = 0; row < batch_.image.size(0); row += options_.tile_rows) {
    // Turned into G in place, so taken away: a second backward computes it again.
    const at::Tensor kept = std::exchange(kept_[static_cast<std::size_t>(row / options_.tile_rows)], {});
    for_each_area(row, [&](std::size_t index, const Area& area) {
      const Panel& panel = panels_[index];
      at::Tensor gradient = place(kept, panel, area);
      if (!kept.defined()) multiply(gradient, panel, area);
      to_gradient(gradient, panel, area);
      const at::Tensor image = batch_.image.narrow(0, area.row, area.rows);
      const at::Tensor column_rows = panel.columns.narrow(0, area.column, area.columns);
      if (wanted_.image) result.image.narrow(0, area.row, area.rows).addmm_(gradient, column_rows, 1, weight);
      if (panel.wanted) columns[index].narrow(0, area.column, area.columns).addmm_(gradient.t(), image, 1, weight);
    });
  }
  if (options_.extra == ExtraNegatives::own) own_extra_gradients(static_cast<T>(weight), result);
  if (panels_.front().wanted) result.text = communicator_.reduce_scatter_rows(columns[0], panels_[0].counts);
  if (panels_.size() > 1 && panels_[1].wanted) {
    result.extra = communicator_.reduce_scatter_rows(columns[1], panels_[1].counts);
  }
  const std::int64_t width = batch_.image.size(1);
  for (std::int64_t i = 0; wanted_.image && i < batch_.image.size(0); ++i) {
    result.log_scale += tiles::dot(data(batch_.image) + i * width, data(result.image) + i * width, width);
  }
  return result;
}

}  // namespace

std::unique_ptr<OnePass> make_one_pass(ContrastiveBatch batch, const ContrastiveOptions& options,
                                       WantedGradients wanted, Communicator& communicator) {
  if (batch.image.scalar_type() == at::kDouble) {
    return std::make_unique<TypedOnePass<double>>(std::move(batch), options, wanted, communicator);
  }
  return std::make_unique<TypedOnePass<float>>(std::move(batch), options, wanted, communicator);
}

}  // namespace disco
