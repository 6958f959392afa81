// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/distributed/communicator.h"

#include <torch/types.h>

#include <QtTest>
#include <atomic>
#include <limits>

#include "tests/distributed/rank_threads.h"

using namespace disco;
using namespace std::chrono_literals;
using disco::testing::as_ranks;

namespace {

void no_errors(const std::vector<std::string>& errors) {
  for (const std::string& error : errors) QVERIFY2(error.empty(), error.c_str());
}

/// rows × 2, every entry telling its rank, row and column.
at::Tensor numbered(int rank, std::int64_t rows) {
  return 1000.0 * rank + at::arange(rows * 2, at::kDouble).view({rows, 2});
}

const std::vector<std::vector<std::int64_t>>& splits() {
  static const std::vector<std::vector<std::int64_t>> all{{4}, {3, 3}, {1, 5}, {0, 2, 7}, {2, 0, 0, 1}, {0, 0}};
  return all;
}

}  // namespace

class CommunicatorTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void gathers_rows_in_rank_order();
  void scatters_sums_of_rows();
  void reduces_in_place();
  void broadcasts_tensors_and_bytes();
  void averages_gradients_as_data_parallel_training_does();
  void a_missing_rank_is_noticed_in_time();
  void a_late_rank_is_noticed_in_time();
};

void CommunicatorTest::gathers_rows_in_rank_order() {
  for (const auto& counts : splits()) {
    no_errors(as_ranks(static_cast<int>(counts.size()), [&](Communicator& communicator) {
      const std::int64_t own = counts[static_cast<std::size_t>(communicator.rank())];
      TORCH_CHECK(communicator.gather_counts(own) == counts);
      std::vector<at::Tensor> parts;
      for (int rank = 0; rank < communicator.size(); ++rank) {
        parts.push_back(numbered(rank, counts[static_cast<std::size_t>(rank)]));
      }
      // A transposed copy: what is handed in need not be contiguous.
      const at::Tensor rows = numbered(communicator.rank(), own).t().contiguous().t();
      TORCH_CHECK(at::equal(communicator.all_gather_rows(rows, counts), at::cat(parts)));
    }));
  }
}

void CommunicatorTest::scatters_sums_of_rows() {
  for (const auto& counts : splits()) {
    no_errors(as_ranks(static_cast<int>(counts.size()), [&](Communicator& communicator) {
      std::int64_t total = 0, first = 0;
      for (int rank = 0; rank < communicator.size(); ++rank) {
        if (rank == communicator.rank()) first = total;
        total += counts[static_cast<std::size_t>(rank)];
      }
      at::Tensor sum = at::zeros({total, 2}, at::kDouble);
      for (int rank = 0; rank < communicator.size(); ++rank) sum += numbered(rank, total);
      const at::Tensor got = communicator.reduce_scatter_rows(numbered(communicator.rank(), total), counts);
      TORCH_CHECK(at::equal(got, sum.narrow(0, first, counts[static_cast<std::size_t>(communicator.rank())])));
    }));
  }
}

void CommunicatorTest::reduces_in_place() {
  constexpr float kLowest = -std::numeric_limits<float>::infinity();
  no_errors(as_ranks(3, [&](Communicator& communicator) {
    const auto rank = static_cast<float>(communicator.rank());
    at::Tensor sum = at::tensor({rank, 1.0F});
    communicator.all_reduce(sum, Reduce::sum);
    TORCH_CHECK(at::equal(sum, at::tensor({3.0F, 3.0F})));
    at::Tensor largest = at::tensor({rank == 1 ? 5.0F : kLowest, kLowest});
    communicator.all_reduce(largest, Reduce::max);
    TORCH_CHECK(at::equal(largest, at::tensor({5.0F, kLowest})));
    communicator.barrier();
    TORCH_CHECK(communicator.seconds() > 0);
  }));
}

void CommunicatorTest::broadcasts_tensors_and_bytes() {
  no_errors(as_ranks(3, [&](Communicator& communicator) {
    at::Tensor tensor = at::full({2, 2}, communicator.rank(), at::kLong);
    communicator.broadcast(tensor, 2);
    TORCH_CHECK(at::equal(tensor, at::full({2, 2}, 2, at::kLong)));
    const std::string bytes("a\0b\xff", 4);
    TORCH_CHECK(communicator.broadcast_bytes(communicator.rank() == 1 ? bytes : "other", 1) == bytes);
    TORCH_CHECK(communicator.broadcast_bytes("", 0).empty());
  }));
}

void CommunicatorTest::averages_gradients_as_data_parallel_training_does() {
  for (const std::int64_t bucket_bytes : {std::int64_t{1}, std::int64_t{40}, std::int64_t{1} << 20}) {
    no_errors(as_ranks(3, [&](Communicator& communicator) {
      const int rank = communicator.rank();
      std::vector<at::Tensor> parameters;
      for (int i = 0; i < 5; ++i) parameters.push_back(at::ones({i + 1, 3}).set_requires_grad(true));
      parameters.push_back(at::ones({2}, at::kDouble).set_requires_grad(true));
      for (std::size_t i = 0; i < parameters.size(); ++i) {
        if (i == 1 && rank != 2) continue;  // used by one rank only
        if (i == 3) continue;               // used by none
        parameters[i].mutable_grad() = at::full_like(parameters[i], static_cast<double>(i) + rank);
      }
      parameters[2].mutable_grad() = parameters[2].grad().t().contiguous().t();
      average_gradients(parameters, communicator, bucket_bytes);
      for (const std::size_t i : {0, 2, 4, 5}) {
        TORCH_CHECK(at::equal(parameters[i].grad(), at::full_like(parameters[i], static_cast<double>(i) + 1)));
      }
      TORCH_CHECK(at::equal(parameters[1].grad(), at::full_like(parameters[1], 1)));
      TORCH_CHECK(!parameters[3].grad().defined());
    }));
  }
}

void CommunicatorTest::a_missing_rank_is_noticed_in_time() {
  const auto store = c10::make_intrusive<c10d::HashStore>();
  const auto begin = std::chrono::steady_clock::now();
  const auto lonely = connect_gloo(store, {.rank = 0, .size = 2, .timeout = 1s});
  QVERIFY(!lonely.has_value());
  QVERIFY(lonely.error().what.find("rank 0 of 2") != std::string::npos);
  QVERIFY(std::chrono::steady_clock::now() - begin < 20s);
}

void CommunicatorTest::a_late_rank_is_noticed_in_time() {
  std::atomic<bool> gave_up = false;
  const auto begin = std::chrono::steady_clock::now();
  const auto errors = as_ranks(
      2,
      [&](Communicator& communicator) {
        if (communicator.rank() == 1) {  // connected, and then not there
          while (!gave_up && std::chrono::steady_clock::now() - begin < 60s) std::this_thread::sleep_for(10ms);
          return;
        }
        at::Tensor number = at::ones({1});
        try {
          communicator.all_reduce(number, Reduce::sum);
        } catch (const CommunicationError&) {
          gave_up = true;
          throw;
        }
      },
      1s);
  QVERIFY(gave_up);
  QVERIFY(errors[0].find("rank 0 of 2 could not finish a reduction") == 0);
  QVERIFY(std::chrono::steady_clock::now() - begin < 30s);
}

QTEST_GUILESS_MAIN(CommunicatorTest)
#include "communicator_test.moc"
