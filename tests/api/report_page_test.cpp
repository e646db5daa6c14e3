// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <zlib.h>

#include <cstring>
#include <set>

#include <mbn/error.hpp>
#include <mbn/fit.hpp>
#include <mbn/page.hpp>

#include "page/page_arrays.hpp"
#include "rows/kinds.hpp"
#include "rows/toy.hpp"

namespace mbn {
namespace {

// A page, read back as web/README.md says.
class ReadPage {
 public:
  explicit ReadPage(const std::string& page) {
    const std::string mark = "<script id=\"mbn-data\" type=\"text/plain\">";
    const std::size_t first = page.find(mark) + mark.size();
    const std::string bytes = unzipped(decoded(page.substr(first, page.find('<', first) - first)));
    EXPECT_EQ(bytes.substr(0, 8), "MBNPAGE1");
    std::uint32_t length = 0;
    std::memcpy(&length, bytes.data() + 8, 4);
    header = PageJson::parse(bytes.substr(16, length));
    arrays_ = bytes.substr((16 + length + 7) / 8 * 8);
  }

  template <class Number>
  std::vector<Number> numbers(const std::string& name) const {
    const PageJson& entry = header.at("arrays").at(name);
    std::vector<Number> out(entry.at("length").get<std::size_t>());
    const auto offset = entry.at("offset").get<std::size_t>();
    EXPECT_EQ(offset % 8, 0U);
    EXPECT_LE(offset + out.size() * sizeof(Number), arrays_.size());
    std::memcpy(out.data(), arrays_.data() + offset, out.size() * sizeof(Number));
    return out;
  }
  std::string text(const std::string& name) const {
    const auto bytes = numbers<char>(name);
    return {bytes.begin(), bytes.end()};
  }

  PageJson header;

 private:
  static std::string decoded(const std::string& base64) {
    const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string out;
    std::uint32_t bits = 0;
    int count = 0;
    for (const char digit : base64) {
      if (digit == '=') break;
      bits = bits << 6 | static_cast<std::uint32_t>(digits.find(digit));
      count += 6;
      if (count < 8) continue;
      count -= 8;
      out += static_cast<char>(bits >> count & 0xFF);
    }
    return out;
  }

  static std::string unzipped(const std::string& packed) {
    z_stream stream{};
    inflateInit2(&stream, 15 + 16);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
    stream.avail_in = static_cast<uInt>(packed.size());
    std::string out;
    std::string room(1U << 16, '\0');
    int status = Z_OK;
    while (status == Z_OK) {
      stream.next_out = reinterpret_cast<Bytef*>(room.data());
      stream.avail_out = static_cast<uInt>(room.size());
      status = inflate(&stream, Z_NO_FLUSH);
      out.append(room.data(), room.size() - stream.avail_out);
    }
    EXPECT_EQ(status, Z_STREAM_END);
    inflateEnd(&stream);
    return out;
  }

  std::string arrays_;
};

FitOptions small_fit() {
  return {.clusterings = 25, .decay = 0.5, .clusters = 4, .restarts = 4, .map = 2};
}

class ReportPage : public testing::Test {
 public:
  void SetUp() override {
    if (!has_report_page()) GTEST_SKIP() << "this build has no page";
  }

 protected:
  Matrix rows_ = toy_images(200, 24, 4);
  FitResult result_ = fit_transform(rows_, small_fit());
};

TEST_F(ReportPage, PlacesAreThoseOfTheModelsMap) {
  const ReadPage page(report_page(result_.model, rows_));
  const Matrix map = result_.model.map(rows_);
  const auto x = page.numbers<std::uint16_t>("map_x");
  const double low = page.header["map"]["x"][0];
  const double high = page.header["map"]["x"][1];
  ASSERT_EQ(x.size(), 200U);
  for (std::size_t i = 0; i < 200; ++i) {
    EXPECT_NEAR(low + (high - low) * x[i] / 65535, map.at(i, 0), 0.51 * (high - low) / 65535);
  }
}

TEST_F(ReportPage, CodesAreThoseOfTheTopLayer) {
  const ReadPage page(report_page(result_.model, rows_, {}, {.sample = 60}));
  const CodeMatrix codes = result_.model.codes(rows_);
  const auto sample = page.numbers<std::uint32_t>("sample");
  const auto stored = page.numbers<std::uint8_t>("codes");
  ASSERT_EQ(sample.size(), 60U);
  ASSERT_EQ(stored.size(), 60U * codes.clusterings());
  for (std::size_t v = 0; v < codes.clusterings(); ++v) {
    for (std::size_t i = 0; i < 60; ++i) {
      ASSERT_EQ(stored[v * 60 + i], codes.at(sample[i], v));
    }
  }
}

TEST_F(ReportPage, ThereIsAFrameBeforeTheFirstLayerAndOneAfterEach) {
  const ReadPage page(report_page(result_, rows_));
  const std::size_t layers = result_.model.layers().size();
  const PageJson& frames = page.header["frames"];
  ASSERT_EQ(frames.size(), layers + 1);
  for (std::size_t f = 0; f < layers; ++f) {
    EXPECT_EQ(frames[f]["layer"], f);
    EXPECT_EQ(page.numbers<std::uint16_t>("frame_" + std::to_string(f) + "_x").size(), 200U);
  }
  EXPECT_TRUE(frames[layers]["x"].is_null());
  ASSERT_EQ(page.header["layers"].size(), layers);
  for (std::size_t l = 0; l < layers; ++l) {
    const PageJson& layer = page.header["layers"][l];
    EXPECT_EQ(layer["centroids"], result_.model.layers()[l].centroids);
    EXPECT_EQ(layer["seconds"], result_.layer_seconds[l]);
    EXPECT_GT(layer["error_ratio"], 0);
    EXPECT_LT(layer["error_ratio"], 1);
    EXPECT_LE(layer["distinct_codes"], 200);
  }
}

TEST_F(ReportPage, OfAFitAndOfItsModelAgree) {
  const ReadPage of_fit(report_page(result_, rows_));
  const ReadPage of_model(report_page(result_.model, rows_));
  for (const char* name : {"map_x", "map_y", "cluster"}) {
    EXPECT_EQ(of_fit.numbers<std::uint16_t>(name), of_model.numbers<std::uint16_t>(name)) << name;
  }
  EXPECT_EQ(of_fit.numbers<std::uint8_t>("confidence"),
            of_model.numbers<std::uint8_t>("confidence"));
  const Assignment assigned = result_.model.assign(rows_);
  const auto clusters = of_model.numbers<std::uint16_t>("cluster");
  for (std::size_t i = 0; i < 200; ++i) EXPECT_EQ(clusters[i], assigned.labels[i]);
}

TEST_F(ReportPage, IsTheSameForAnyNumberOfThreads) {
  EXPECT_EQ(report_page(result_.model, rows_, {}, {}, {.threads = 1}),
            report_page(result_.model, rows_, {}, {}, {.threads = 3}));
}

TEST_F(ReportPage, ExemplarsAreRowsOfTheirClusters) {
  const ReadPage page(report_page(result_, rows_));
  ASSERT_EQ(page.header["clusters"].size(), 4U);
  for (std::size_t c = 0; c < 4; ++c) {
    const PageJson& cluster = page.header["clusters"][c];
    EXPECT_FALSE(cluster["exemplars"].empty());
    for (const std::uint32_t row : cluster["exemplars"]) EXPECT_EQ(result_.labels[row], c);
  }
}

TEST_F(ReportPage, ShowsNamesIdsLabelsAndTextsAsTheyAre) {
  PageContent content;
  content.title = "<b>\"rows\"</b> & more";
  for (std::size_t i = 0; i < 200; ++i) {
    content.ids.push_back(i == 3 ? "</script>\xFF\"" : std::to_string(i));
    content.texts.push_back(std::string(i == 5 ? 10000 : 4, 'w'));
    content.labels.push_back(static_cast<std::int32_t>(i % 2 == 0 ? 7 : -1));
  }
  for (std::size_t j = 0; j < 24; ++j) content.columns.push_back("c" + std::to_string(j));
  const std::string made = report_page(result_, rows_, content);
  EXPECT_NE(made.find("<title>&lt;b&gt;&quot;rows&quot;&lt;/b&gt; &amp; more</title>"),
            std::string::npos);
  const ReadPage page(made);
  EXPECT_EQ(page.header["title"], content.title);
  const PageJson ids = PageJson::parse(page.text("ids"));
  EXPECT_EQ(ids[3], "</script>\xEF\xBF\xBD\"");
  EXPECT_EQ(ids[199], "199");
  const PageJson texts = PageJson::parse(page.text("texts"));
  EXPECT_LT(texts[5].get<std::string>().size(), 500U);
  EXPECT_EQ(page.header["label"]["names"], PageJson({"7"}));
  EXPECT_EQ(page.numbers<std::uint16_t>("label")[0], 0);
  EXPECT_EQ(page.numbers<std::uint16_t>("label")[1], 65535);
  EXPECT_EQ(page.header["scores"][0][0], "NMI");
  EXPECT_EQ(page.header["values"].back()["name"], "c23");
}

TEST_F(ReportPage, OfSparseRowsNamesWords) {
  const Matrix many = toy_images(200, 220, 4);
  const Rows sparse = as_sparse(many);
  const FitResult result = fit_transform(sparse, small_fit());
  const ReadPage page(report_page(result, sparse));
  EXPECT_EQ(page.header["clusters"].size(), 4U);
  EXPECT_EQ(page.header["values"].size(), 2 + std::min<std::size_t>(200, 220));
}

TEST_F(ReportPage, OfAModelWithoutMapOrClustersSaysSo) {
  FitOptions options = small_fit();
  options.map = 0;
  options.clusters = Clusters::unknown;
  const Model model = fit(rows_, options);
  const ReadPage page(report_page(model, rows_));
  EXPECT_FALSE(page.header["cluster"]);
  EXPECT_NE(page.header["warnings"].dump().find("no map of its own"), std::string::npos);
  EXPECT_EQ(page.numbers<std::uint16_t>("map_x").size(), 200U);
}

TEST_F(ReportPage, OfOneRowAndOfTwoHasNoStory) {
  for (const std::size_t count : {1U, 2U}) {
    const ReadPage page(report_page(result_.model, rows_.view().slice(0, count)));
    EXPECT_EQ(page.header["rows"], count);
    EXPECT_TRUE(page.header["codes"].is_null());
  }
}

TEST_F(ReportPage, RefusesListsThatDoNotFit) {
  PageContent content;
  content.ids = {"one"};
  EXPECT_THROW(report_page(result_, rows_, content), InvalidArgument);
  EXPECT_THROW(report_page(result_.model, rows_.view().slice(0, 0)), InvalidArgument);
}

}  // namespace
}  // namespace mbn
