// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/objectives/contrastive.h"

#include <torch/torch.h>

#include <QtTest>
#include <cmath>
#include <mutex>
#include <numbers>
#include <numeric>

#include "tests/distributed/rank_threads.h"

using namespace disco;
using disco::testing::as_ranks;

namespace {

/// Unit vectors in the plane.
at::Tensor at_angles(const at::Tensor& radians) { return at::stack({radians.cos(), radians.sin()}, 1); }

/// The pairs of all ranks, in double; each rank takes its rows and rounds them to the type under test.
struct World {
  std::vector<std::int64_t> rows;        ///< pairs of each rank
  std::vector<std::int64_t> extra_rows;  ///< extra negatives of each rank
  ContrastiveBatch all;                  ///< owners count over all pictures
};

std::int64_t sum_before(const std::vector<std::int64_t>& counts, int rank) {
  return std::accumulate(counts.begin(), counts.begin() + rank, std::int64_t{0});
}

/// Groups of eight that look alike, as in training; pair 1 repeats pair 0; the last picture and the first extra are
/// zero.
World make_world(const std::vector<std::int64_t>& rows, std::int64_t extras_a_row, double scale, at::ScalarType type) {
  constexpr std::int64_t kWidth = 24;
  const auto unit = [](const at::Tensor& x) { return x / x.norm(2, 1, true); };
  World world{.rows = rows, .extra_rows = {}, .all = {}};
  const std::int64_t total = std::accumulate(rows.begin(), rows.end(), std::int64_t{0});
  const at::Tensor groups = at::randn({total / 8 + 1, kWidth}, at::kDouble).repeat_interleave(8, 0).narrow(0, 0, total);
  const at::Tensor pairs = groups + 0.8 * at::randn({total, kWidth}, at::kDouble);
  at::Tensor image = unit(pairs + 0.7 * at::randn_like(pairs));
  at::Tensor text = unit(pairs + 0.7 * at::randn_like(pairs));
  if (total > 3) {
    image[1].copy_(image[0]);
    text[1].copy_(text[0]);
    image[total - 1].zero_();
  }
  world.all = {.image = image.to(type), .text = text.to(type), .extra = {}, .extra_owner = {}, .log_scale = {}};
  world.all.log_scale = at::full({}, std::log(scale), type);
  for (const std::int64_t count : rows) world.extra_rows.push_back(count * extras_a_row);
  if (extras_a_row > 0) {
    const at::Tensor owners = at::arange(total, at::kLong).repeat_interleave(extras_a_row);
    at::Tensor extra =
        unit(text.index_select(0, owners) + 0.2 * at::randn({total * extras_a_row, kWidth}, at::kDouble));
    extra[0].zero_();
    world.all.extra = extra.to(type);
    const auto* owner = owners.const_data_ptr<std::int64_t>();
    world.all.extra_owner.assign(owner, owner + owners.numel());
  }
  return world;
}

at::Tensor leaf(const at::Tensor& tensor) { return tensor.clone().set_requires_grad(true); }

ContrastiveBatch leaves(const ContrastiveBatch& batch) {
  return {.image = leaf(batch.image),
          .text = leaf(batch.text),
          .extra = batch.extra.defined() ? leaf(batch.extra) : at::Tensor(),
          .extra_owner = batch.extra_owner,
          .log_scale = leaf(batch.log_scale)};
}

ContrastiveBatch part(const World& world, int rank) {
  const std::int64_t first = sum_before(world.rows, rank), count = world.rows[static_cast<std::size_t>(rank)];
  ContrastiveBatch own = world.all;
  own.image = own.image.narrow(0, first, count);
  own.text = own.text.narrow(0, first, count);
  if (own.extra.defined()) {
    const std::int64_t first_extra = sum_before(world.extra_rows, rank);
    const std::int64_t extras = world.extra_rows[static_cast<std::size_t>(rank)];
    own.extra = own.extra.narrow(0, first_extra, extras);
    own.extra_owner.assign(world.all.extra_owner.begin() + first_extra,
                           world.all.extra_owner.begin() + first_extra + extras);
    for (std::int64_t& owner : own.extra_owner) owner -= first;
  }
  return leaves(own);
}

/// Gradients of all pairs, put together from the ranks' and averaged as data-parallel training would.
struct Gathered {
  at::Tensor image, text, extra, log_scale;
  std::vector<double> losses, image_to_text, text_to_image;
};

void write_rows(at::Tensor& all, const at::Tensor& rows, std::int64_t first, int ranks) {
  if (rows.defined()) all.narrow(0, first, rows.size(0)).add_(rows.to(at::kDouble) / ranks);
}

void collect(const World& world, const ContrastiveBatch& own, const ContrastiveResult& result, int rank,
             Gathered& into) {
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  const int ranks = static_cast<int>(world.rows.size());
  if (!into.image.defined()) {
    into.image = at::zeros(world.all.image.sizes(), at::kDouble);
    into.text = at::zeros(world.all.text.sizes(), at::kDouble);
    into.log_scale = at::zeros({}, at::kDouble);
    if (world.all.extra.defined()) into.extra = at::zeros(world.all.extra.sizes(), at::kDouble);
  }
  write_rows(into.image, own.image.grad(), sum_before(world.rows, rank), ranks);
  write_rows(into.text, own.text.grad(), sum_before(world.rows, rank), ranks);
  if (own.extra.defined()) write_rows(into.extra, own.extra.grad(), sum_before(world.extra_rows, rank), ranks);
  into.log_scale += own.log_scale.grad().to(at::kDouble) / ranks;
  into.losses.push_back(result.loss.item<double>());
  into.image_to_text.push_back(result.image_to_text);
  into.text_to_image.push_back(result.text_to_image);
}

double worst(const at::Tensor& a, const at::Tensor& b) {
  return a.numel() == 0 ? 0 : (a.to(at::kDouble) - b.to(at::kDouble)).abs().max().item<double>();
}

void compare(const World& world, const Gathered& got, const ContrastiveOptions& options, double tolerance) {
  const ContrastiveBatch all = leaves(world.all);
  const ContrastiveResult want = contrastive_loss_reference(all, options.extra);
  want.loss.backward();
  const double scale = all.log_scale.exp().item<double>(), unit = scale / static_cast<double>(all.image.size(0));
  const auto near = [&](const at::Tensor& mine, const at::Tensor& right) {
    return worst(mine, right) <= tolerance * std::max(right.abs().max().item<double>(), unit);
  };
  for (std::size_t rank = 0; rank < got.losses.size(); ++rank) {
    const double allowed = tolerance * std::max(1.0, want.loss.item<double>());
    QVERIFY(std::abs(got.losses[rank] - want.loss.item<double>()) <= allowed);
    QVERIFY(std::abs(got.image_to_text[rank] - want.image_to_text) <= allowed);
    QVERIFY(std::abs(got.text_to_image[rank] - want.text_to_image) <= allowed);
  }
  QVERIFY(near(got.image, all.image.grad()));
  QVERIFY(near(got.text, all.text.grad()));
  if (all.extra.defined()) QVERIFY(near(got.extra, all.extra.grad()));
  QVERIFY(near(got.log_scale, all.log_scale.grad()));
}

void no_errors(const std::vector<std::string>& errors) {
  for (const std::string& error : errors) QVERIFY2(error.empty(), error.c_str());
}

/// Both ways to treat extras, logits kept, partly kept and not, tiles that divide nothing evenly.
std::vector<ContrastiveOptions> all_options() {
  std::vector<ContrastiveOptions> result;
  for (const ExtraNegatives extra : {ExtraNegatives::shared, ExtraNegatives::own}) {
    for (const std::int64_t keep : {std::int64_t{0}, std::int64_t{4000}, std::int64_t{1} << 30}) {
      result.push_back({.extra = extra, .tile_rows = 5, .tile_columns = 7, .keep_bytes = keep});
    }
    result.push_back({.extra = extra});
  }
  return result;
}

}  // namespace

class ContrastiveTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void known_numbers();
  void known_numbers_on_ranks();
  void equals_the_reference_data();
  void equals_the_reference();
  void incoming_gradient_multiplies_everything();
  void second_backward_gives_the_same();
  void gradients_nobody_wants_are_left_out();
  void evaluation_needs_no_gradients();
  void two_steps_of_two_towers_agree();
  void not_a_number_is_not_hidden();
};

namespace {

constexpr double kRadian = std::numbers::pi / 180;

struct Angles {
  at::Tensor image = leaf(at::tensor({0.0, 40.0, 100.0, 200.0}, at::kDouble) * kRadian);
  at::Tensor text = leaf(at::tensor({10.0, 30.0, 120.0, 190.0}, at::kDouble) * kRadian);
  at::Tensor log_scale = leaf(at::full({}, std::log(10.0), at::kDouble));
};

const at::Tensor& angle_gradients() {
  static const at::Tensor right = at::tensor({0.190442, -0.189483, -0.005965, -0.000872}, at::kDouble);
  return right;
}

}  // namespace

void ContrastiveTest::known_numbers() {
  const auto check = [](const Angles& angles, const ContrastiveResult& result) {
    result.loss.backward();
    QVERIFY(std::abs(result.loss.item<double>() - 0.133745) < 1e-6);
    QVERIFY(std::abs(angles.log_scale.grad().item<double>() + 0.143348) < 1e-6);
    QVERIFY(worst(angles.image.grad(), angle_gradients()) < 1e-6);
  };
  LocalCommunicator local;
  const Angles a, b;
  const auto batch = [](const Angles& angles) {
    return ContrastiveBatch{.image = at_angles(angles.image),
                            .text = at_angles(angles.text),
                            .extra = {},
                            .extra_owner = {},
                            .log_scale = angles.log_scale};
  };
  check(a, contrastive_loss_reference(batch(a), ExtraNegatives::shared));
  check(b, contrastive_loss_tiled(batch(b), {}, local));
}

void ContrastiveTest::known_numbers_on_ranks() {
  // Two ranks of two, four of one, and three and one, of which a mean of rank means would make 0.089222.
  for (const std::vector<std::int64_t>& rows : std::vector<std::vector<std::int64_t>>{{2, 2}, {1, 1, 1, 1}, {3, 1}}) {
    const int ranks = static_cast<int>(rows.size());
    std::vector<Angles> angles(rows.size());
    std::vector<double> losses(rows.size());
    no_errors(as_ranks(ranks, [&](Communicator& communicator) {
      const auto rank = static_cast<std::size_t>(communicator.rank());
      const std::int64_t first = sum_before(rows, communicator.rank());
      const ContrastiveBatch batch{.image = at_angles(angles[rank].image).narrow(0, first, rows[rank]),
                                   .text = at_angles(angles[rank].text).narrow(0, first, rows[rank]),
                                   .extra = {},
                                   .extra_owner = {},
                                   .log_scale = angles[rank].log_scale};
      const ContrastiveResult result = contrastive_loss_tiled(batch, {}, communicator);
      result.loss.backward();
      average_gradients({angles[rank].image, angles[rank].text, angles[rank].log_scale}, communicator);
      losses[rank] = result.loss.item<double>();
    }));
    for (std::size_t rank = 0; rank < rows.size(); ++rank) {
      QVERIFY(std::abs(losses[rank] - 0.133745) < 1e-6);
      QVERIFY(std::abs(angles[rank].log_scale.grad().item<double>() + 0.143348) < 1e-6);
      QVERIFY(worst(angles[rank].image.grad(), angle_gradients()) < 1e-6);
    }
  }
}

void ContrastiveTest::equals_the_reference_data() {
  QTest::addColumn<std::vector<std::int64_t>>("rows");
  QTest::newRow("one rank") << std::vector<std::int64_t>{29};
  QTest::newRow("one pair") << std::vector<std::int64_t>{1};
  QTest::newRow("two even") << std::vector<std::int64_t>{16, 16};
  QTest::newRow("two uneven") << std::vector<std::int64_t>{19, 4};
  QTest::newRow("first empty") << std::vector<std::int64_t>{0, 13};
  QTest::newRow("three uneven") << std::vector<std::int64_t>{7, 3, 2};
  QTest::newRow("four, one empty") << std::vector<std::int64_t>{9, 0, 12, 8};
  QTest::newRow("four, last empty") << std::vector<std::int64_t>{6, 6, 6, 0};
}

void ContrastiveTest::equals_the_reference() {
  QFETCH(std::vector<std::int64_t>, rows);
  torch::manual_seed(7);
  struct Trial {
    World world;
    ContrastiveOptions options;
    double tolerance;
    Gathered got;
  };
  std::vector<Trial> trials;
  for (const double scale : {1.0, 14.3, 39.9, 40.1, 100.0}) {
    for (const std::int64_t extras : {0, 3}) {
      for (const ContrastiveOptions& options : all_options()) {
        trials.push_back({make_world(rows, extras, scale, at::kFloat), options, 1e-5, {}});
        trials.push_back({make_world(rows, extras, scale, at::kDouble), options, 1e-11, {}});
      }
    }
  }
  no_errors(as_ranks(static_cast<int>(rows.size()), [&](Communicator& communicator) {
    for (Trial& trial : trials) {
      const ContrastiveBatch own = part(trial.world, communicator.rank());
      const ContrastiveResult result = contrastive_loss_tiled(own, trial.options, communicator);
      result.loss.backward();
      collect(trial.world, own, result, communicator.rank(), trial.got);
    }
  }));
  for (const Trial& trial : trials) {
    QCOMPARE(trial.got.losses.size(), rows.size());
    compare(trial.world, trial.got, trial.options, trial.tolerance);
  }
}

void ContrastiveTest::incoming_gradient_multiplies_everything() {
  LocalCommunicator local;
  const World world = make_world({12}, 2, 14.3, at::kDouble);
  const ContrastiveBatch once = part(world, 0), thrice = part(world, 0);
  contrastive_loss_tiled(once, {}, local).loss.backward();
  (contrastive_loss_tiled(thrice, {}, local).loss * 3).backward();
  QVERIFY(worst(thrice.image.grad(), once.image.grad() * 3) < 1e-12);
  QVERIFY(worst(thrice.text.grad(), once.text.grad() * 3) < 1e-12);
  QVERIFY(worst(thrice.extra.grad(), once.extra.grad() * 3) < 1e-12);
  QVERIFY(worst(thrice.log_scale.grad(), once.log_scale.grad() * 3) < 1e-12);
  QVERIFY(once.log_scale.grad().abs().item<double>() > 1e-3);
}

void ContrastiveTest::second_backward_gives_the_same() {
  LocalCommunicator local;
  const ContrastiveBatch batch = part(make_world({12}, 2, 14.3, at::kDouble), 0);
  const ContrastiveResult result = contrastive_loss_tiled(batch, {}, local);
  result.loss.backward({}, /*retain_graph=*/true);
  const at::Tensor first = batch.image.grad().clone();
  result.loss.backward();
  QVERIFY(worst(batch.image.grad(), first * 2) < 1e-12);
}

void ContrastiveTest::gradients_nobody_wants_are_left_out() {
  // A rank without rows has features without history; the other rank's wishes count for both.
  const World world = make_world({9, 0}, 2, 14.3, at::kDouble);
  const ContrastiveBatch right = leaves(world.all);
  contrastive_loss_reference(right, ExtraNegatives::shared).loss.backward();
  no_errors(as_ranks(2, [&](Communicator& communicator) {
    ContrastiveBatch own = part(world, communicator.rank());
    own.image = own.image.detach();
    if (communicator.rank() == 1) {
      own.text = own.text.detach();
      own.extra = at::Tensor();
      own.extra_owner = {};
    }
    contrastive_loss_tiled(own, {}, communicator).loss.backward();
    if (communicator.rank() == 1) return;
    TORCH_CHECK(!own.image.grad().defined(), "the frozen tower got a gradient");
    TORCH_CHECK(worst(own.text.grad() / 2, right.text.grad()) < 1e-12, "text gradient is wrong");
    TORCH_CHECK(worst(own.extra.grad() / 2, right.extra.grad()) < 1e-12, "extra gradient is wrong");
  }));
}

void ContrastiveTest::evaluation_needs_no_gradients() {
  LocalCommunicator local;
  const World world = make_world({12}, 2, 14.3, at::kDouble);
  const at::NoGradGuard no_grad;
  const ContrastiveResult result = contrastive_loss_tiled(world.all, {}, local);
  QVERIFY(!result.loss.requires_grad());
  const double right = contrastive_loss_reference(world.all, ExtraNegatives::shared).loss.item<double>();
  QVERIFY(std::abs(result.loss.item<double>() - right) < 1e-12);
}

namespace {

struct TwoTowers {
  at::Tensor pictures = at::randn({24, 10}), captions = at::randn({24, 8});
  at::Tensor image_tower = at::randn({10, 6}) * 0.3, text_tower = at::randn({8, 6}) * 0.3;
};

/// Two linear towers and a scale after two steps of plain gradient descent, which a factor of N would not survive.
std::vector<at::Tensor> two_steps(const TwoTowers& start, const std::vector<std::int64_t>& rows,
                                  Communicator& communicator) {
  const at::Tensor image_tower = leaf(start.image_tower), text_tower = leaf(start.text_tower);
  const at::Tensor log_scale = leaf(at::full({}, std::log(14.3)));
  const std::vector<at::Tensor> parameters{image_tower, text_tower, log_scale};
  torch::optim::SGD optimizer(parameters, torch::optim::SGDOptions(0.5));
  const std::int64_t first = sum_before(rows, communicator.rank());
  const std::int64_t count = rows[static_cast<std::size_t>(communicator.rank())];
  const auto encode = [&](const at::Tensor& inputs, const at::Tensor& tower) {
    return torch::nn::functional::normalize(inputs.narrow(0, first, count).mm(tower));
  };
  for (int step = 0; step < 2; ++step) {
    optimizer.zero_grad();
    contrastive_loss_tiled({.image = encode(start.pictures, image_tower),
                            .text = encode(start.captions, text_tower),
                            .extra = {},
                            .extra_owner = {},
                            .log_scale = log_scale},
                           {}, communicator)
        .loss.backward();
    average_gradients(parameters, communicator, /*bucket_bytes=*/64);
    optimizer.step();
  }
  return parameters;
}

}  // namespace

void ContrastiveTest::two_steps_of_two_towers_agree() {
  torch::manual_seed(11);
  const TwoTowers start;
  LocalCommunicator local;
  const std::vector<at::Tensor> right = two_steps(start, {24}, local);
  for (const std::vector<std::int64_t>& rows :
       std::vector<std::vector<std::int64_t>>{{12, 12}, {21, 3}, {24, 0}, {5, 11, 8}, {6, 6, 6, 6}, {10, 0, 1, 13}}) {
    no_errors(as_ranks(static_cast<int>(rows.size()), [&](Communicator& communicator) {
      const std::vector<at::Tensor> got = two_steps(start, rows, communicator);
      for (std::size_t i = 0; i < right.size(); ++i) {
        TORCH_CHECK(worst(got[i], right[i]) < 2e-6, "parameter ", i, " is off by ", worst(got[i], right[i]));
      }
    }));
  }
}

void ContrastiveTest::not_a_number_is_not_hidden() {
  LocalCommunicator local;
  for (const double scale : {14.3, 100.0}) {
    World world = make_world({12}, 0, scale, at::kFloat);
    world.all.image[3][2] = std::numeric_limits<float>::quiet_NaN();
    QVERIFY(std::isnan(contrastive_loss_tiled(world.all, {}, local).loss.item<double>()));
  }
}

QTEST_GUILESS_MAIN(ContrastiveTest)
#include "contrastive_test.moc"
