// Results for people and for programs.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "ulna/real/matrix_view.hpp"
#include "ulna/spatial/pose.hpp"

namespace ulna::app {

using Json = nlohmann::ordered_json;

Json to_json(const Vec3<double>& a);
Json to_json(const Mat3<double>& a);
Json to_json(MatrixView<const double> m);

/// One document on stdout.
void print_json(const Json& document);

/// On stderr, where a result took the place of an earlier one.
void note_replaced(bool replaced, const std::string& folder);

/// Columns padded to their widest cell; the first row is the header.
void print_table(std::vector<std::vector<std::string>> rows);
/// Elements that are rounding beside the largest, or beside `scale`, are shown as 0.
void print_matrix(const std::string& name, MatrixView<const double> m, double scale = 0.0);
/// 0 for what is smaller than `scale` by thirteen digits, as 6e-17 for the cosine of 90° is.
double without_rounding(double x, double scale);
std::string short_number(double x);
/// Without what is rounding beside `scale`.
std::string short_numbers(const Vec3<double>& a, double scale = 0.0);

/// A motion as CSV: t, q1…, v1…, a1…, tau1…, a header first.
std::string motion_csv(std::size_t joints, std::size_t rows,
                       const std::function<double(std::size_t row, std::size_t column)>& number);

}  // namespace ulna::app
