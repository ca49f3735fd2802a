#include "loop_recording.hpp"

#include "composite_half.hpp"
#include "loop_matrix_impl.hpp"
#include "ulna/dynamics/composite_body/composite_body.hpp"

namespace ulna {

namespace {

class LoopRecorder {
 public:
  LoopRecorder(const Model& model, std::size_t stride)
      : model_(model),
        tree_(model.tree()),
        n_(static_cast<std::size_t>(model.nv())),
        stride_(stride),
        q_(input("q", model.nq())),
        v_(input("v", model.nv())),
        tau_(input("tau", model.nv())),
        a_(n_),
        loops_(model),
        factor_(tree_) {}

  trace::Recording operator()() {
    composite_body::forward_dynamics<Trace>(tree_, factor_, q_, v_, tau_, a_);
    output("a", a_);
    loops_.update(q_);
    loops_.update_rest(v_, a_);
    output("r", {loops_.b().begin(), loops_.b().end()});
    const MatrixView<const Trace> A = loops_.matrix();
    output("A", std::vector<Trace>(A.data, A.data + static_cast<std::size_t>(A.rows) * n_));
    halves();
    output("L", below_diagonal());
    return trace::simplified(recording_);
  }

 private:
  std::vector<Trace> input(const char* name, int size) {
    return trace::make_input(graph(), name, size, recording_.inputs.emplace_back());
  }
  void output(const char* name, const std::vector<Trace>& values) {
    recording_.outputs.push_back(trace::output_of(graph(), name, values));
    recording_.outputs.back().changing_only = true;
  }
  trace::OpGraph& graph() {
    if (recording_.graph == nullptr) recording_.graph = std::make_unique<trace::OpGraph>();
    return *recording_.graph;
  }

  void halves() {
    std::vector<Trace> U(n_ * stride_, Trace(0.0)), Y = U, inverse(n_);
    const MatrixView<const Trace> A = loops_.matrix(), M{factor_.M.data(), model_.nv(), model_.nv()};
    for (std::size_t k = 0; k < n_; ++k) inverse[k] = Trace(1.0) / factor_.M[k * n_ + k];
    std::size_t row = 0;
    for (const LoopJoint& joint : model_.loops()) {
      const int count = constraint_count(joint.kind);
      const LoopPath path = loop_path(model_, joint);
      for (const int k : path.degrees) {
        Trace* u = &U[static_cast<std::size_t>(k) * stride_ + row];
        for (int i = 0; i < count; ++i) u[i] = A(static_cast<int>(row) + i, k);
      }
      composite_half<Trace>(tree_, M, inverse, path, {&U[row], &Y[row], stride_, count});
      row += static_cast<std::size_t>(count);
    }
    output("U", U);
    output("Y", Y);
  }

  std::vector<Trace> below_diagonal() const {
    std::vector<Trace> L(n_ * n_, Trace(0.0));
    const std::span<const int> parent = tree_.parent_of_v();
    for (std::size_t k = 0; k < n_; ++k)
      for (int i = parent[k]; i >= 0; i = parent[static_cast<std::size_t>(i)])
        L[k * n_ + static_cast<std::size_t>(i)] = factor_.M[k * n_ + static_cast<std::size_t>(i)];
    return L;
  }

  const Model& model_;
  Model tree_;
  std::size_t n_, stride_;
  trace::Recording recording_;
  std::vector<Trace> q_, v_, tau_, a_;
  LoopMatrix<Trace> loops_;
  composite_body::Workspace<Trace> factor_;
};

}  // namespace

trace::Recording record_loops(const Model& model, std::size_t stride) { return LoopRecorder(model, stride)(); }

}  // namespace ulna
