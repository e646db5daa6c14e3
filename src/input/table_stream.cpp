// SPDX-License-Identifier: Apache-2.0
//
// Arrays of a `.npy` lie row by row, so that any number of rows can be taken from the front of its
// bytes; a mapped file is given back to the system batch by batch. Text is read record by record.
// All other kinds are read as a whole and cut into views.
#include <mbn/stream.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include <mbn/error.hpp>
#include <mbn/part.hpp>

#include "input/npy.hpp"
#include "input/reader.hpp"
#include "input/text_table.hpp"
#include "rows/kinds.hpp"

namespace mbn {

using Paths = std::vector<std::filesystem::path>;

class TableStream::Source {
 public:
  virtual ~Source() = default;
  virtual std::optional<std::uint64_t> rows() const = 0;
  virtual Table next(std::size_t most) = 0;
  virtual std::uint64_t skip(std::uint64_t count) = 0;
  /// The rows with these numbers.
  virtual Table pick(const std::vector<std::uint64_t>& numbers) = 0;
};

namespace {

constexpr std::size_t kPickedAtATime = 1 << 16;

[[noreturn]] void refuse_mixture(const std::filesystem::path& file, const std::string& problem) {
  throw InvalidArgument(
      ErrorCode::does_not_fit,
      fmt::format("{}: {}; files that are read as one must be alike", file.string(), problem),
      {.path = file});
}

Table matrix_table(Matrix rows) {
  Table table;
  table.rows = std::move(rows);
  return table;
}

class NpyFiles final : public TableStream::Source {
 public:
  NpyFiles(Paths files, const ReadOptions& options, std::unique_ptr<ByteSource> first)
      : files_(std::move(files)), options_(options) {
    const ArrayLayout layout = read_npy_header(*first);
    add(layout, files_[0]);
    current_ = std::move(first);
    for (std::size_t i = 1; i < files_.size(); ++i) {
      auto source = open_source(files_[i].string());
      if (open_for_stream(source, options_) != StreamKind::npy) {
        refuse_mixture(files_[i], fmt::format("this is no .npy, but {} is", files_[0].string()));
      }
      add(read_npy_header(*source), files_[i]);
    }
  }

  std::optional<std::uint64_t> rows() const override {
    std::uint64_t sum = 0;
    for (const ArrayLayout& layout : layouts_) sum += layout.shape[0];
    return sum;
  }

  Table next(std::size_t most) override {
    if (most == 0 || !open()) return {};
    ArrayLayout part = layouts_[file_];
    part.first_row = row_;
    part.shape[0] = std::min<std::uint64_t>(most, part.shape[0] - row_);
    current_->release();
    bool has_nan = false;
    Table table = matrix_table(read_array_part(*current_, part, has_nan));
    table.pictures = pictures_of(part);
    row_ += part.shape[0];
    if (row_ == layouts_[file_].shape[0]) current_->expect_end();
    return finished_table(std::move(table), options_, files_[file_].string(), StreamKind::npy,
                          has_nan, part.first_row);
  }

  std::uint64_t skip(std::uint64_t count) override {
    std::uint64_t passed = 0;
    while (passed < count && open()) {
      const std::uint64_t step = std::min(count - passed, layouts_[file_].shape[0] - row_);
      current_->skip(step * row_bytes(layouts_[file_]));
      row_ += step;
      passed += step;
    }
    return passed;
  }

  // Columns are chosen and missing cells treated at the end, when the rows are together.
  Table pick(const std::vector<std::uint64_t>& numbers) override {
    Matrix picked(numbers.size(), columns_, type_);
    bool some_nan = false;
    std::uint64_t before = 0;
    for (std::size_t done = 0; done < numbers.size() && open();) {
      ArrayLayout part = layouts_[file_];
      part.first_row = row_;
      part.shape[0] = std::min<std::uint64_t>(kPickedAtATime, part.shape[0] - row_);
      const std::uint64_t end = before + part.shape[0];
      if (numbers[done] >= end) {
        current_->skip(part.shape[0] * row_bytes(part));
      } else {
        current_->release();
        bool has_nan = false;
        const Matrix rows = read_array_part(*current_, part, has_nan);
        some_nan = some_nan || has_nan;
        for (; done < numbers.size() && numbers[done] < end; ++done) {
          copy_row(rows, numbers[done] - before, picked, done);
        }
      }
      row_ += part.shape[0];
      before = end;
    }
    Table table = matrix_table(std::move(picked));
    table.pictures = pictures_of(layouts_[0]);
    return finished_table(std::move(table), options_, files_[0].string(), StreamKind::npy,
                          some_nan);
  }

 private:
  static std::uint64_t cells(const ArrayLayout& layout) {
    std::uint64_t product = 1;
    for (std::size_t i = 1; i < layout.shape.size(); ++i) product *= layout.shape[i];
    return product;
  }
  static std::uint64_t row_bytes(const ArrayLayout& layout) {
    return cells(layout) * number_bytes(layout.type);
  }
  static void copy_row(const Matrix& from, std::size_t row, Matrix& to, std::size_t place) {
    if (from.type() == ElementType::uint8) {
      std::copy_n(from.row<std::uint8_t>(row), from.columns(), to.mutable_row<std::uint8_t>(place));
    } else {
      std::copy_n(from.row<float>(row), from.columns(), to.mutable_row<float>(place));
    }
  }

  void add(const ArrayLayout& layout, const std::filesystem::path& file) {
    if (!is_row_major(layout) || layout.shape.empty()) {
      refuse_mixture(file, "the array does not lie row by row; write it again in C order");
    }
    const ElementType type =
        layout.type == NumberType::uint8 ? ElementType::uint8 : ElementType::float32;
    if (layouts_.empty()) {
      type_ = type;
      columns_ = cells(layout);
    } else if (cells(layout) != columns_ || type != type_) {
      refuse_mixture(
          file,
          fmt::format("the array has {} columns of {}, and that of {} has {} of {}", cells(layout),
                      name_of(type), files_[0].string(), columns_, name_of(type_)));
    }
    layouts_.push_back(layout);
  }
  static const char* name_of(ElementType type) {
    return type == ElementType::uint8 ? "bytes" : "numbers";
  }

  /// False after the last row of the last file.
  bool open() {
    while (file_ < files_.size() && row_ == layouts_[file_].shape[0]) {
      ++file_;
      row_ = 0;
      current_.reset();
      if (file_ == files_.size()) return false;
      current_ = open_source(files_[file_].string());
      open_for_stream(current_, options_);
      read_npy_header(*current_);
    }
    return file_ < files_.size();
  }

  Paths files_;
  ReadOptions options_;
  std::vector<ArrayLayout> layouts_;
  ElementType type_ = ElementType::float32;
  std::uint64_t columns_ = 0;
  std::size_t file_ = 0;
  std::uint64_t row_ = 0;  // of the file
  std::unique_ptr<ByteSource> current_;
};

class TextFiles final : public TableStream::Source {
 public:
  TextFiles(Paths files, const ReadOptions& options, std::unique_ptr<ByteSource> first)
      : files_(std::move(files)),
        options_(options),
        first_(std::move(first)),
        text_(*first_, options_, [this] { return open_next(); }) {}

  std::optional<std::uint64_t> rows() const override { return std::nullopt; }
  Table next(std::size_t most) override { return finish(text_.read(most)); }
  std::uint64_t skip(std::uint64_t count) override { return text_.skip(count); }
  Table pick(const std::vector<std::uint64_t>& numbers) override {
    return finish(text_.read(0, &numbers));
  }

 private:
  Table finish(Table table) const {
    if (table.rows.rows() == 0) return table;
    return finished_table(std::move(table), options_, first_->name(), StreamKind::text, false);
  }

  std::unique_ptr<ByteSource> open_next() {
    if (++file_ >= files_.size()) return nullptr;
    auto source = open_source(files_[file_].string());
    if (open_for_stream(source, options_) != StreamKind::text) {
      refuse_mixture(files_[file_],
                     fmt::format("this is no CSV or TSV, but {} is", files_[0].string()));
    }
    return source;
  }

  Paths files_;
  ReadOptions options_;
  std::unique_ptr<ByteSource> first_;
  std::size_t file_ = 0;
  TextRows text_;
};

/// Rows that are all in memory.
class WholeTable final : public TableStream::Source {
 public:
  explicit WholeTable(Table table) : table_(std::move(table)) {}

  std::optional<std::uint64_t> rows() const override { return table_.rows.rows(); }
  Table next(std::size_t most) override {
    const std::size_t count = std::min(most, table_.rows.rows() - row_);
    Table part;
    if (count == 0) return part;
    part.rows = Rows::borrow(table_.data().slice(row_, count));
    part.columns = table_.columns;
    part.coding = table_.coding;
    part.pictures = table_.pictures;
    part.gene_counts = table_.gene_counts;
    part.id_names = table_.id_names;
    const auto begin = table_.ids.begin();
    const auto width = static_cast<std::ptrdiff_t>(table_.ids.size() / table_.rows.rows());
    part.ids.assign(begin + width * static_cast<std::ptrdiff_t>(row_),
                    begin + width * static_cast<std::ptrdiff_t>(row_ + count));
    if (row_ == 0) part.notes = table_.notes;
    row_ += count;
    return part;
  }
  std::uint64_t skip(std::uint64_t count) override {
    const std::size_t step = std::min<std::uint64_t>(count, table_.rows.rows() - row_);
    row_ += step;
    return step;
  }
  Table pick(const std::vector<std::uint64_t>& numbers) override {
    std::vector<std::uint32_t> rows;
    for (const std::uint64_t number : numbers) rows.push_back(static_cast<std::uint32_t>(number));
    return gather_rows(table_, rows);
  }

 private:
  Table table_;
  std::size_t row_ = 0;
};

std::unique_ptr<TableStream::Source> open(Paths files, const ReadOptions& options) {
  if (files.empty()) {
    throw InvalidArgument(ErrorCode::too_small, "there is no file to read; give at least one");
  }
  const std::filesystem::path& first = files[0];
  if (first == "-" ? !options.transpose : reads_in_batches(files, options)) {
    auto source = open_source(first.string());
    const StreamKind kind = open_for_stream(source, options);
    if (kind == StreamKind::npy) {
      return std::make_unique<NpyFiles>(std::move(files), options, std::move(source));
    }
    if (kind == StreamKind::text) {
      return std::make_unique<TextFiles>(std::move(files), options, std::move(source));
    }
    return std::make_unique<WholeTable>(read_table_from(std::move(source), options));
  }
  if (files.size() > 1) {
    refuse_mixture(first, "several files are read as one from CSV and .npy only, row by row");
  }
  return std::make_unique<WholeTable>(read_table(first, options));
}

}  // namespace

TableStream::TableStream(Paths files, const ReadOptions& options)
    : source_(open(std::move(files), options)) {}
TableStream::~TableStream() = default;
TableStream::TableStream(TableStream&&) noexcept = default;
TableStream& TableStream::operator=(TableStream&&) noexcept = default;

std::optional<std::uint64_t> TableStream::rows() const {
  return source_->rows();
}

Table TableStream::next(std::size_t most) {
  return source_->next(most);
}

std::uint64_t TableStream::skip(std::uint64_t count) {
  return source_->skip(count);
}

// An array in Fortran order has its rows only when all of it was read.
bool reads_in_batches(const Paths& files, const ReadOptions& options) {
  std::error_code ignored;
  if (options.transpose || options.missing == Missing::drop || files.empty()) return false;
  if (!std::filesystem::is_regular_file(files[0], ignored)) return false;
  auto source = open_source(files[0].string());
  const StreamKind kind = open_for_stream(source, options);
  if (kind == StreamKind::npy) return is_row_major(read_npy_header(*source));
  return kind == StreamKind::text;
}

std::uint64_t count_rows(const Paths& files, const ReadOptions& options) {
  TableStream stream(files, options);
  if (const auto known = stream.rows()) return *known;
  return stream.skip(std::numeric_limits<std::uint64_t>::max());
}

Table read_rows(const Paths& files, const std::vector<std::uint64_t>& numbers,
                const ReadOptions& options) {
  return open(files, options)->pick(numbers);
}

Table read_table(const Paths& files, const ReadOptions& options) {
  if (files.size() == 1) return read_table(files[0], options);
  const auto source = open(files, options);
  const auto rows = source->rows();
  if (!rows) return source->next(std::numeric_limits<std::size_t>::max());
  std::vector<std::uint64_t> all(*rows);
  for (std::uint64_t i = 0; i < all.size(); ++i) all[i] = i;
  return source->pick(all);
}

}  // namespace mbn
