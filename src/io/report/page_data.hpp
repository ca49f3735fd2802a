// How data get into the page of a report or the studio: numbers in bulk as base64, all of it in the page's own script.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace ulna {

std::string base64(std::span<const float> values);
std::string base64(std::span<const double> values);
std::string base64(std::span<const std::uint16_t> values);

/// The page with a JSON text in the place that it has for one.
std::string fill_page(std::string_view page, std::string_view json);

}  // namespace ulna
