// Results for people and for programs.
#pragma once

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

/// One document on stdout. Doubles keep all their digits; those that are not finite are written as null.
void print_json(const Json& document);

/// Columns padded to their widest cell; the first row is the header.
void print_table(const std::vector<std::vector<std::string>>& rows);
void print_matrix(const std::string& name, MatrixView<const double> m);
std::string short_number(double x);
std::string short_numbers(const Vec3<double>& a);

}  // namespace ulna::app
