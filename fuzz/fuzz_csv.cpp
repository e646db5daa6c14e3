// SPDX-License-Identifier: Apache-2.0
//
// The text reader on any bytes: plain, with label and id columns by number and by name, and through
// read_table, where the bytes may be gzipped. Then with the coding that was found.
#include "input/reader.hpp"
#include "input/text_table.hpp"
#include "one_input.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace mbn;
  for (const auto& options : {ReadOptions{}, ReadOptions{.label_column = "-1", .id_column = {"1"}},
                              ReadOptions{.label_column = "label", .id_column = {"id"}},
                              ReadOptions{.columns = {"a*", "1-3"}, .decimal = Decimal::comma},
                              ReadOptions{.drop = {"1", "b:c"}, .decimal = Decimal::point},
                              ReadOptions{.coding = TableCoding()},
                              ReadOptions{.missing = Missing::keep,
                              .types = {"1=category", "2=dmy", "3=log", "b*=boolean"}},
                              ReadOptions{.types = {"1=text", "b*=text"}}}) {
    fuzz::only_errors([&] { read_text_table(*fuzz::source_of(data, size), options); });
  }
  for (const Missing missing : {Missing::refuse, Missing::mean, Missing::drop, Missing::keep}) {
    for (const bool turn : {false, true}) {
      fuzz::only_errors([&] {
        read_table_from(fuzz::source_of(data, size), {.missing = missing, .transpose = turn});
      });
    }
  }
  for (const std::vector<std::string>& types : {std::vector<std::string>(), {"2=text"}}) {
    fuzz::only_errors([&] {
      const Table table =
          read_table_from(fuzz::source_of(data, size), {.missing = Missing::keep, .types = types});
      profile_columns(table);
      read_table_from(fuzz::source_of(data, size),
                      {.missing = Missing::keep, .coding = table.coding});
    });
  }
  return 0;
}
