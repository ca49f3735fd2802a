#include "studio/engine.hpp"

#include <fmt/format.h>

#include <cmath>

#include "studio/session.hpp"

namespace ulna::studio {

Json json_of(const std::vector<Finding>& findings) {
  Json list = Json::array();
  for (const Finding& f : findings)
    list.push_back({{"severity", f.severity == Finding::Severity::error ? "error" : "warning"},
                    {"link", f.link},
                    {"reason", f.reason},
                    {"remedy", f.remedy},
                    {"line", f.source.line}});
  return list;
}

Method<double>& method_of(Robot& robot, std::string_view name, Quantity quantity) {
  auto& method = robot.methods[{std::string(name), quantity}];
  if (!method) method = make_method<double>(name, quantity, robot.tree);
  return *method;
}

Numbers numbers_in(const Json& request, const char* key, int count, const Numbers& otherwise) {
  if (!request.contains(key)) return otherwise;
  Numbers values = request.at(key).get<Numbers>();
  if (std::ssize(values) != count)
    throw InputError(fmt::format("{} has {} numbers; this robot needs {}", key, values.size(), count));
  for (const double x : values)
    if (!std::isfinite(x)) throw InputError(fmt::format("{} holds {}; give finite numbers", key, x));
  return values;
}

Json Engine::Session::answer(const Json& request) {
  const std::string what = request.at("do").get<std::string>();
  if (what == "robots") return robots();
  if (what == "load") return load(request);
  if (what == "text") return text(request);
  if (what == "state") return state(request);
  if (what == "formulations") return formulations(request);
  if (what == "counts") return counts(request);
  if (what == "steps") return steps(request);
  if (what == "reach") return reach(request);
  if (what == "close") return close(request);
  if (what == "cloud") return cloud(request);
  if (what == "states") return states(request);
  if (what == "time") return time(request);
  if (what == "integrators") return integrators_known();
  if (what == "simulate") return simulate(request);
  if (what == "motion") return motion(request);
  if (what == "report") return report(request);
  if (what == "advance") return advance(request);
  if (what == "named_robot") return named_robot(request);
  if (what == "result") return result(request);
  throw InputError(fmt::format("there is no request '{}'", what));
}

/// What is wrong with a request is an answer too; only the lack of memory is none.
Json Engine::Session::answer_or_error(std::string_view request) {
  try {
    Json given = answer(Json::parse(request));
    given["arrays"] = arrays.places();
    return given;
  } catch (const InputError& e) {
    return {{"error", e.what()}, {"findings", json_of(e.findings())}};
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& e) {
    return {{"error", e.what()}};
  }
}

Engine::Engine() : session_(std::make_unique<Session>()) {}
Engine::~Engine() = default;

const std::string& Engine::answer(std::string_view request) {
  // Made by the first request, while there is memory: the last answer must not need any.
  static const std::string no_memory = R"({"error":"this takes more memory than there is"})";
  session_->arrays.clear();
  try {
    answer_ = session_->answer_or_error(request).dump(-1, ' ', false, Json::error_handler_t::replace);
    return answer_;
  } catch (const std::exception&) {
    return no_memory;
  }
}

const std::vector<double>& Engine::numbers() const { return session_->arrays.numbers; }

}  // namespace ulna::studio

#ifdef __EMSCRIPTEN__
namespace {
ulna::studio::Engine& engine() {
  static ulna::studio::Engine only;
  return only;
}
}  // namespace

extern "C" {
const char* ulna_answer(const char* request) { return engine().answer(request).c_str(); }
const double* ulna_numbers() { return engine().numbers().data(); }
std::size_t ulna_number_count() { return engine().numbers().size(); }
}
#endif
