// SPDX-License-Identifier: Apache-2.0
//
// The kinds with fixed outlines. Most are made of three pieces:
//
//   band: a point of an arc, angle uniform, pushed in or out by at most half the band's width;
//   core: a disc whose radius, not area, is uniform, so that density falls as 1 / radius;
//   blob: a round Gaussian, cut at 2.5 deviations so that classes do not run into each other.
//
// Proportions follow the shapes that the clustering literature uses (Jain's crescents, a path
// around two blobs, a compound of six shapes); lengths are our own.
//
// The swiss roll is the spiral radius = angle t, whose length from 0 to t is
//
//   s(t) = (t sqrt(1 + t^2) + asinh t) / 2.
//
// Points are uniform in s, not in t: the sheet is as dense outside as inside, and quarters of its
// length hold equally many rows. The angle is found back by Newton steps; s' = sqrt(1 + t^2).
#include <array>
#include <cmath>
#include <numbers>

#include "generate/shapes.hpp"

namespace mbn {

namespace {

constexpr double kPi = std::numbers::pi;

struct Point {
  double x = 0;
  double y = 0;
};

double between(Random& random, double low, double high) {
  return low + (high - low) * random.uniform();
}

/// Angles in half turns, counted from the right against the clock.
Point band(Random& random, Point centre, double radius, double width, double from, double to) {
  const double angle = kPi * between(random, from, to);
  const double distance = between(random, radius - width / 2, radius + width / 2);
  return {centre.x + distance * std::cos(angle), centre.y + distance * std::sin(angle)};
}

Point core(Random& random, Point centre, double radius) {
  return band(random, centre, radius / 2, radius, 0, 2);
}

Point blob(Random& random, Point centre, double deviation) {
  constexpr double kCut = 2.5;
  for (;;) {
    const double x = random.normal();
    const double y = random.normal();
    if (x * x + y * y < kCut * kCut) return {centre.x + deviation * x, centre.y + deviation * y};
  }
}

class PlaneShape : public ToyShape {
 public:
  std::size_t columns() const final { return 2; }
  void draw(std::uint32_t label, Random& random, float* cells) const final {
    const Point point = draw_point(label, random);
    cells[0] = static_cast<float>(point.x);
    cells[1] = static_cast<float>(point.y);
  }

 protected:
  virtual Point draw_point(std::uint32_t label, Random& random) const = 0;
};

/// A narrow, dense crescent below and a wide, sparse one above; each tip lies inside the other.
class Moons : public PlaneShape {
 public:
  std::vector<double> shares() const override { return {3, 1}; }

 protected:
  Point draw_point(std::uint32_t label, Random& random) const override {
    if (label == 0) return band(random, {11, 3.5}, 10, 2.4, 1, 2);
    return band(random, {0, 0}, 10, 4, 0, 1);
  }
};

/// Two blobs side by side in a thin ring that is open below.
class Ring : public PlaneShape {
 public:
  std::vector<double> shares() const override { return {11, 10, 9}; }

 protected:
  Point draw_point(std::uint32_t label, Random& random) const override {
    if (label == 0) return band(random, {0, 0}, 10, 0.8, -1.0 / 3, 4.0 / 3);
    return blob(random, {label == 1 ? -4.7 : 4.7, -1.5}, 1.7);
  }
};

/// Left, a broad ring around a small ellipse, and above it two touching discs with dense cores.
/// Right, a dense bow in a sparse field that keeps a little away from it.
class Compound : public PlaneShape {
 public:
  std::vector<double> shares() const override { return {40, 23, 12, 11, 10, 4}; }

 protected:
  Point draw_point(std::uint32_t label, Random& random) const override {
    switch (label) {
      case 0:
        return squash(band(random, {0, 0}, 4.9, 2.8, 0, 2));
      case 1:
        return band(random, kBow, kBowRadius, kBowWidth, kBowFrom, kBowTo);
      case 2:
        return field(random);
      case 3:
        return core(random, {3.3, 10.4}, 3.3);
      case 4:
        return core(random, {-3.3, 10.2}, 3.3);
      default:
        return squash(core(random, {0, 0}, 1.9));
    }
  }

 private:
  static constexpr Point kBow{18.5, 2.5};
  static constexpr double kBowRadius = 4.2;
  static constexpr double kBowWidth = 2.4;
  static constexpr double kBowFrom = 0.1;
  static constexpr double kBowTo = 0.95;

  static Point squash(Point point) { return {point.x, point.y * 0.7}; }

  static bool touches_bow(Point point) {
    constexpr double kMargin = 0.7;
    const double x = point.x - kBow.x;
    const double y = point.y - kBow.y;
    const double angle = std::atan2(y, x) / kPi;
    const double along = kMargin / (kPi * kBowRadius);
    return std::abs(std::hypot(x, y) - kBowRadius) < kBowWidth / 2 + kMargin &&
           angle > kBowFrom - along && angle < kBowTo + along;
  }

  static Point field(Random& random) {
    for (;;) {
      const Point point{between(random, 10, 27), between(random, -4, 13)};
      if (!touches_bow(point)) return point;
    }
  }
};

/// Two blobs and one row so far away that it draws the first principal component to itself.
class Outlier : public PlaneShape {
 public:
  std::vector<double> shares() const override { return {1, 1, 0}; }

 protected:
  Point draw_point(std::uint32_t label, Random& random) const override {
    if (label < 2) return blob(random, {label == 0 ? -3.0 : 3.0, 0}, 1);
    return band(random, {0, 0}, 200, 20, 0, 2);
  }
};

class SwissRoll : public ToyShape {
 public:
  std::size_t columns() const override { return 3; }
  std::vector<double> shares() const override { return {1, 1, 1, 1}; }

  void draw(std::uint32_t label, Random& random, float* cells) const override {
    const double start = length(kFirstAngle);
    const double quarter = (length(kLastAngle) - start) / 4;
    const double angle = angle_at(start + quarter * (label + random.uniform()));
    cells[0] = static_cast<float>(angle * std::cos(angle));
    cells[1] = static_cast<float>(between(random, 0, kWidth));
    cells[2] = static_cast<float>(angle * std::sin(angle));
  }

 private:
  static constexpr double kFirstAngle = 1.5 * kPi;
  static constexpr double kLastAngle = 4.5 * kPi;
  static constexpr double kWidth = 20;

  static double length(double angle) {
    return (angle * std::sqrt(1 + angle * angle) + std::asinh(angle)) / 2;
  }

  static double angle_at(double wanted) {
    // A long spiral is nearly t^2 / 2; from there a few steps are exact.
    double angle = std::sqrt(2 * wanted);
    for (int step = 0; step < 6; ++step) {
      angle -= (length(angle) - wanted) / std::sqrt(1 + angle * angle);
    }
    return angle;
  }
};

}  // namespace

std::unique_ptr<ToyShape> make_drawing(ToyKind kind) {
  switch (kind) {
    case ToyKind::moons:
      return std::make_unique<Moons>();
    case ToyKind::ring:
      return std::make_unique<Ring>();
    case ToyKind::compound:
      return std::make_unique<Compound>();
    case ToyKind::outlier:
      return std::make_unique<Outlier>();
    default:
      return std::make_unique<SwissRoll>();
  }
}

}  // namespace mbn
