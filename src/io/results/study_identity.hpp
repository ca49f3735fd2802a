// What runs must agree in to belong to one ensemble, and arms to one design sweep.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "ulna/study/scenario.hpp"

#pragma GCC visibility push(hidden)
namespace ulna {

/// Part by part: what it is, and its text.
using StudyIdentity = std::vector<std::pair<std::string, std::string>>;
StudyIdentity identity_of(const Scenario& scenario, const Graph& graph);

/// As the head of a file: a title, the parts, and how runs are computed ("compiled", or the formulation).
std::string packed_identity(std::string_view title, const StudyIdentity& identity, std::string_view method);
/// The method of a head. Throws InputError that names the file and what differs.
std::string expect_identity(std::string_view head, std::string_view title, const StudyIdentity& identity,
                            const std::string& file, std::string_view work = "ensemble");
/// Throws InputError if runs were computed in another way.
void expect_method(std::string_view before, std::string_view now, const std::string& file);

}  // namespace ulna
#pragma GCC visibility pop
