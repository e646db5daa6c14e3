// SPDX-License-Identifier: Apache-2.0
#include "compress/perceptron.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "base/random.hpp"

namespace mbn {
namespace {

constexpr std::size_t kRows = 7;
const std::vector<std::size_t> kSizes{5, 9, 8, 3};

void fill_input(Perceptron& network) {
  Random random(3, Purpose::generate);
  for (std::size_t i = 0; i < kRows * kSizes[0]; ++i) {
    network.input()[i] = static_cast<float>(random.normal());
  }
}

// sum of squares / 2 of the outputs, whose derivatives are the outputs.
double loss(const Perceptron& network) {
  double sum = 0;
  for (std::size_t i = 0; i < kRows * kSizes.back(); ++i) {
    sum += 0.5 * double{network.output()[i]} * double{network.output()[i]};
  }
  return sum;
}

TEST(Perceptron, ForwardIsThePlainLoop) {
  Job job({});
  Perceptron network(kSizes, kRows, 1);
  fill_input(network);
  for (float& parameter : network.parameters()) parameter += 0.01F;  // biases too
  network.forward(kRows, job);
  const auto layers = network.layers(network.parameters());
  for (std::size_t i = 0; i < kRows; ++i) {
    std::vector<double> row(network.input() + i * 5, network.input() + (i + 1) * 5);
    for (std::size_t l = 0; l < layers.size(); ++l) {
      std::vector<double> next(layers[l].outputs);
      for (std::size_t j = 0; j < next.size(); ++j) {
        next[j] = layers[l].bias[j];
        for (std::size_t k = 0; k < row.size(); ++k) {
          next[j] += row[k] * double{layers[l].weights[j * row.size() + k]};
        }
        if (l + 1 < layers.size()) next[j] = std::max(next[j], 0.0);
      }
      row = next;
    }
    for (std::size_t j = 0; j < row.size(); ++j) {
      EXPECT_NEAR(network.output()[i * row.size() + j], row[j], 1e-5);
    }
  }
}

void check_gradient(double dropout) {
  Job job({});
  Perceptron network(kSizes, kRows, 1);
  fill_input(network);
  network.forward(kRows, job, dropout, 4);
  std::copy_n(network.output(), kRows * kSizes.back(), network.output_gradient());
  network.backward(kRows, job, dropout);
  const std::vector<float> gradient(network.gradient().begin(), network.gradient().end());
  std::size_t checked = 0;
  for (std::size_t p = 0; p < gradient.size(); ++p) {
    const float before = network.parameters()[p];
    constexpr float kStep = 1e-3F;
    network.parameters()[p] = before + kStep;
    network.forward(kRows, job, dropout, 4);
    const double above = loss(network);
    network.parameters()[p] = before - kStep;
    network.forward(kRows, job, dropout, 4);
    const double below = loss(network);
    network.parameters()[p] = before;
    EXPECT_NEAR(gradient[p], (above - below) / (2 * double{kStep}),
                0.02 + 0.01 * std::abs(gradient[p]))
        << p;
    checked += std::abs(gradient[p]) > 0.1F ? 1 : 0;
  }
  EXPECT_GT(checked, gradient.size() / 4);
}

TEST(Perceptron, GradientIsTheFiniteDifference) {
  check_gradient(0);
}

TEST(Perceptron, GradientWithDropoutIsTheFiniteDifference) {
  check_gradient(0.3);
}

TEST(Perceptron, DropoutKeepsTheMean) {
  Job job({});
  Perceptron network({4, 2000, 1}, kRows, 1);
  std::fill_n(network.input(), kRows * 4, 1.0F);
  // The output is the mean of units that are all 1 before some are dropped.
  std::fill(network.parameters().begin(), network.parameters().end(), 0.0F);
  std::fill_n(network.parameters().begin() + 4 * 2000, 2000, 1.0F);
  std::fill_n(network.parameters().begin() + 5 * 2000, 2000, 1.0F / 2000);
  network.forward(kRows, job, 0.4, 9);
  for (std::size_t i = 0; i < kRows; ++i) {
    EXPECT_NEAR(network.output()[i], 1, 0.1);
    if (i > 0) {
      EXPECT_NE(network.output()[i], network.output()[0]);
    }
  }
}

TEST(Perceptron, ThreadsChangeNothing) {
  std::vector<std::vector<float>> gradients;
  for (const std::uint32_t threads : {1U, 2U, 3U}) {
    Job job({.threads = threads});
    Perceptron network({50, 300, 280, 3}, 200, 1);
    for (std::size_t i = 0; i < 200 * 50; ++i) {
      network.input()[i] = static_cast<float>(i * 7919 % 101) / 50 - 1;
    }
    network.forward(200, job, 0.2, 1);
    std::copy_n(network.output(), 200 * 3, network.output_gradient());
    network.backward(200, job, 0.2);
    gradients.emplace_back(network.gradient().begin(), network.gradient().end());
  }
  EXPECT_EQ(gradients[0], gradients[1]);
  EXPECT_EQ(gradients[0], gradients[2]);
}

}  // namespace
}  // namespace mbn
