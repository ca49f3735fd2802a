#include "output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/plain_text.hpp"
#include "io/results/json_text.hpp"

namespace ulna::app {

Json to_json(const Vec3<double>& a) { return Json::array({a.x, a.y, a.z}); }

Json to_json(const Mat3<double>& a) {
  return Json::array({to_json(a.row_x()), to_json(a.row_y()), to_json(a.row_z())});
}

Json to_json(MatrixView<const double> m) {
  Json rows = Json::array();
  for (int i = 0; i < m.rows; ++i) {
    Json row = Json::array();
    for (int j = 0; j < m.cols; ++j) row.push_back(m(i, j));
    rows.push_back(std::move(row));
  }
  return rows;
}

void print_json(const Json& document) { fmt::print("{}", json_text(document)); }

void note_replaced(bool replaced, const std::string& folder) {
  if (replaced) fmt::print(stderr, "{}: note: the earlier results in this folder were replaced\n", folder);
}

namespace {
/// Characters on the screen, not bytes: names and units may be UTF-8.
std::size_t width(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}
}  // namespace

void print_table(std::vector<std::vector<std::string>> rows) {
  for (auto& row : rows)
    for (std::string& cell : row) cell = plain_text(cell);  // a name may hold the end of a line
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()), 0);
    for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], width(row[c]));
  }
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t c = 0; c < row.size(); ++c) {
      line += "  " + row[c];
      if (c + 1 < row.size()) line += std::string(widths[c] - width(row[c]), ' ');
    }
    fmt::print("{}\n", line);
  }
}

double without_rounding(double x, double scale) { return std::fabs(x) < 1e-13 * scale ? 0.0 : x; }

std::string short_number(double x) { return fmt::format("{:.6g}", x == 0.0 ? 0.0 : x); }

std::string short_numbers(const Vec3<double>& a, double scale) {
  const auto text = [scale](double x) { return short_number(without_rounding(x, scale)); };
  return fmt::format("{}, {}, {}", text(a.x), text(a.y), text(a.z));
}

void print_matrix(const std::string& name, MatrixView<const double> m, double scale) {
  for (int i = 0; i < m.rows; ++i)
    for (int j = 0; j < m.cols; ++j) scale = std::max(scale, std::fabs(m(i, j)));
  fmt::print("{}\n", name);
  for (int i = 0; i < m.rows; ++i) {
    std::string line;
    for (int j = 0; j < m.cols; ++j) line += fmt::format(" {:>12}", short_number(without_rounding(m(i, j), scale)));
    fmt::print(" {}\n", line);
  }
}

std::string motion_csv(std::size_t joints, std::size_t rows,
                       const std::function<double(std::size_t row, std::size_t column)>& number) {
  std::string text = "t";
  for (const char* name : {"q", "v", "a", "tau"})
    for (std::size_t k = 1; k <= joints; ++k) text += fmt::format(",{}{}", name, k);
  for (std::size_t row = 0; row < rows; ++row)
    for (std::size_t column = 0; column <= 4 * joints; ++column)
      text += fmt::format("{}{}", column == 0 ? "\n" : ",", number(row, column));
  return text + "\n";
}

}  // namespace ulna::app
