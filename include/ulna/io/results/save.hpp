// Records as folders: the files that the command writes.
#pragma once

#include <string>
#include <vector>

#include "ulna/study/ensemble.hpp"
#include "ulna/study/loop_sweep.hpp"
#include "ulna/study/run.hpp"
#include "ulna/study/select/selection.hpp"

namespace ulna {

struct SaveOptions {
  std::vector<std::string> also{};  // formats beside CSV: the names of trajectory_formats(), such as "hdf5"
};

/// trajectory.csv, run.json and report.html (where this build has its page) in a folder, which is made. All appear
/// together; only whole results of Ulna are replaced. Throws InputError.
void save(const Record& record, const std::string& folder, const SaveOptions& options = {});
/// ensemble.h5, run.json and report.html, in the same way.
void save(const EnsembleRecord& record, const std::string& folder);
/// table.csv, loop.json and report.html.
void save(const LoopRecord& record, const std::string& folder);
/// select.json and report.html.
void save(const selection::SelectRecord& record, const std::string& folder);

}  // namespace ulna
