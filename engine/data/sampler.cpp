// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/data/sampler.h"

#include <numeric>
#include <unordered_set>

#include "engine/base/random.h"

namespace disco::data {

Sampler::Sampler(std::optional<std::int64_t> size, std::int64_t apart, std::uint64_t seed, bool shuffled)
    : size_(size), apart_(apart), seed_(seed), shuffled_(shuffled) {}

Sampler::Place Sampler::at(std::int64_t position) const {
  if (!size_) return {0, position};
  const std::int64_t epoch = position / *size_, within = position % *size_;
  if (!shuffled_) return {epoch, within};
  return {epoch, (*cached_order(epoch))[static_cast<std::size_t>(within)]};
}

std::shared_ptr<const Sampler::Order> Sampler::cached_order(std::int64_t epoch) const {
  const std::lock_guard lock(mutex_);
  Cached& cached = cached_[epoch % 2];
  if (cached.epoch != epoch) cached = {epoch, std::make_shared<const Order>(order(epoch))};
  return cached.order;
}

Sampler::Order Sampler::base_order(std::int64_t epoch) const {
  Order order(static_cast<std::size_t>(*size_));
  std::iota(order.begin(), order.end(), 0U);
  Draw draw(seed_, static_cast<std::uint64_t>(epoch), 0, "order of an epoch");
  draw.shuffle(order);
  return order;
}

// What the epoch before ends with is exchanged from the front of this one into its middle. The end of an order never
// changes by this, so the end of the epoch before is that of its base order, and no chain of epochs is needed.
Sampler::Order Sampler::order(std::int64_t epoch) const {
  Order order = base_order(epoch);
  const std::int64_t middle = *size_ - 2 * apart_;
  if (epoch == 0 || middle < apart_) return order;
  const Order before = base_order(epoch - 1);
  const std::unordered_set<std::uint32_t> recent(before.end() - apart_, before.end());
  Draw draw(seed_, static_cast<std::uint64_t>(epoch), 1, "order of an epoch");
  for (std::int64_t i = 0; i < apart_; ++i) {
    // The middle holds at least as many samples as are to be kept away, and a free one for each of them.
    while (recent.contains(order[static_cast<std::size_t>(i)])) {
      const auto other = apart_ + static_cast<std::int64_t>(draw.below(static_cast<std::uint64_t>(middle)));
      if (recent.contains(order[static_cast<std::size_t>(other)])) continue;
      std::swap(order[static_cast<std::size_t>(i)], order[static_cast<std::size_t>(other)]);
    }
  }
  return order;
}

}  // namespace disco::data
