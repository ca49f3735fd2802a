#include "ulna/loop/compiled_loops.hpp"

#include "loop_code.hpp"
#include "loop_recording.hpp"
#include "ulna/model/expect_unit_quaternions.hpp"
#include "ulna/model/transform.hpp"

namespace ulna {

namespace {

class GenericLoops : public Method<double> {
 public:
  explicit GenericLoops(const Model& model) : model_(model), dynamics_(model) {}

  void forward_dynamics(VectorIn<double> q, VectorIn<double> v, VectorIn<double> tau, VectorOut<double> a,
                        Wrenches<double> external) override {
    dynamics_.forward_dynamics(q, v, tau, a, external);
  }

 protected:
  const Model& model_;

 private:
  ConstrainedDynamics dynamics_;
};

class OwnLoops final : public GenericLoops {
 public:
  OwnLoops(const Model& model, trace::LoadedKernel function, const trace::Recording& recording)
      : GenericLoops(model), code_(model, std::move(function), recording) {}

  void forward_dynamics(VectorIn<double> q, VectorIn<double> v, VectorIn<double> tau, VectorOut<double> a,
                        Wrenches<double> external) override {
    if (!external.empty()) return GenericLoops::forward_dynamics(q, v, tau, a, external);
    expect_size("q", q.size(), model_.nq());
    expect_size("v", v.size(), model_.nv());
    expect_size("tau", tau.size(), model_.nv());
    expect_size("a", a.size(), model_.nv());
    expect_unit_quaternions(model_, q);
    code_.forward_dynamics(q, v, tau, a);
  }

 private:
  LoopCode code_;
};

}  // namespace

CompiledLoops compile_loops(const Model& model) {
  if (model.loops().empty())
    throw InputError("compile_loops() is for robots with closed loops; compile() has the others");
  auto recording = std::make_shared<trace::Recording>();
  const trace::LoadedKernel loaded = trace::loaded_or_note(1, [&] {
    trace::expect_compilable_size(model);
    if (!has_common_size(model)) throw InputError("such a long chain goes by articulated bodies");
    trace::CodeFile file;
    file.robot = model.name();
    file.prefix = "robot";
    file.functions.push_back({"loops", "composite_body", record_loops(regrouped(model), row_stride(model))});
    std::vector<trace::LoadedKernel> functions = trace::load_functions(file);
    *recording = std::move(file.functions[0].recording);
    return functions;
  })[0];
  if (loaded.function == nullptr) return {[&model] { return std::make_unique<GenericLoops>(model); }, loaded.note};
  return {[&model, loaded, recording] { return std::make_unique<OwnLoops>(model, loaded, *recording); }, loaded.note,
          true};
}

}  // namespace ulna
