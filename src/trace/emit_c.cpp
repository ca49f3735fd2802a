#include "ulna/trace/emit_c.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "base/fnv.hpp"
#include "self_check_c.hpp"
#include "sincos_c.hpp"
#include "ulna/base/error.hpp"
#include "ulna/version.hpp"

namespace ulna::trace {

namespace {

/// How deep an expression may grow before it becomes a statement of its own. Between 1 and 8 the speed
/// changes by less than 5 %, in both directions; 3 reads well.
constexpr int deepest = 3;

/// In which doubles take their sines; plain numbers take those of <math.h>, floats without double.
constexpr CodeScalar four_angles{.single = false, .lanes = 4};

/// The body of one function, statement by statement in the order of recording.
class Writer {
 public:
  Writer(const Recording& recording, CodeScalar scalar)
      : recording_(recording),
        graph_(*recording.graph),
        scalar_(scalar),
        text_of_(graph_.size()),
        depth_(graph_.size(), 0),
        uses_(graph_.size(), 0),
        divided_by_(graph_.size(), 0) {}

  std::string body() {
    const std::vector<Ref> results = recording_.results();
    const std::vector<std::uint32_t> live = live_nodes(graph_, results);
    count_uses(live, results);
    for (const Array& array : recording_.inputs)
      for (std::size_t k = 0; k < array.elements.size(); ++k)
        text_of_[array.elements[k].node] = fmt::format("{}[{}]", array.name, k);
    write_unused(live);
    write_turns(live);
    for (const std::uint32_t index : live) write(index);
    write_results();
    return std::move(out_);
  }

 private:
  void line(const std::string& statement) { out_ += "  " + statement + "\n"; }

  void write_results() {
    for (const Array& array : recording_.outputs) {
      const bool is_factor = !array.minus_times.empty();
      const std::string place = is_factor ? "right_of_" + array.name : array.name;
      if (is_factor) line(fmt::format("{} {}[{}];", type_name(scalar_), place, array.elements.size()));
      for (std::size_t k = 0; k < array.elements.size(); ++k) {
        if (array.changing_only && graph_[array.elements[k].node].operation == Operation::constant) continue;
        line(fmt::format("{}[{}] = {};", place, k, whole(array.elements[k])));
      }
    }
    for (const Array& array : recording_.outputs)
      if (!array.minus_times.empty())
        line(fmt::format("ulna_minus_product({}, right_of_{}, {});", array.minus_times, array.name, array.name));
  }

  void count_uses(const std::vector<std::uint32_t>& live, const std::vector<Ref>& results) {
    for (const std::uint32_t index : live) {
      const Node& node = graph_[index];
      if (node.operation == Operation::sine || node.operation == Operation::cosine) continue;  // see angle()
      const std::array operands{node.a, node.b, node.c};
      for (int k = 0; k < operand_count(node.operation); ++k) ++uses_[operands[static_cast<std::size_t>(k)].node];
      if (node.operation == Operation::divide) ++divided_by_[node.b.node];
    }
    for (const Ref& r : results) ++uses_[r.node];
  }

  /// An input that no result depends on, such as the positions of an arm that lies flat for its gravity.
  void write_unused(const std::vector<std::uint32_t>& live) {
    std::vector<bool> used(graph_.size(), false);
    for (const std::uint32_t index : live) used[index] = true;
    for (const Array& array : recording_.inputs)
      if (std::none_of(array.elements.begin(), array.elements.end(), [&](const Ref& r) { return used[r.node]; }))
        line(fmt::format("(void){};", array.name));
  }

  std::string number(double value) const {
    std::string text =
        scalar_.single ? fmt::format("{:.9g}", static_cast<float>(value)) : fmt::format("{:.17g}", value);
    if (text.find_first_of(".en") == std::string::npos) text += ".0";
    return scalar_.single ? text + "f" : text;
  }

  /// A node where operands of a product or a function stand.
  std::string operand(std::uint32_t index) const {
    const Node& node = graph_[index];
    if (node.operation == Operation::constant) return number(node.value);
    return depth_[index] > 0 ? "(" + text_of_[index] + ")" : text_of_[index];
  }
  std::string signed_operand(Ref r) const { return (r.negative ? "-" : "") + operand(r.node); }
  /// Where a whole value is wanted: a constant alone is no pack.
  std::string whole(Ref r) const {
    if (scalar_.is_pack() && graph_[r.node].operation == Operation::constant)
      return fmt::format("({}){{0}} + {}", type_name(scalar_),
                         number(r.negative ? -graph_[r.node].value : graph_[r.node].value));
    if (r.negative) return "-" + operand(r.node);
    return graph_[r.node].operation == Operation::constant ? operand(r.node) : text_of_[r.node];
  }
  std::string argument(Ref r) const { return scalar_.is_pack() ? "(" + whole(r) + ")" : signed_operand(r); }
  /// A term of a sum: a product needs no brackets there.
  std::string term(std::uint32_t index) const {
    const Operation op = graph_[index].operation;
    return op == Operation::multiply || op == Operation::divide ? text_of_[index] : operand(index);
  }

  /// A function of <math.h> for plain numbers.
  std::string function(const char* name) const { return scalar_.single ? fmt::format("{}f", name) : name; }

  std::string expression(const Node& node) const {
    switch (node.operation) {
      case Operation::add:
        return fmt::format("{} {} {}", term(node.a.node), node.b.negative ? '-' : '+', term(node.b.node));
      case Operation::multiply:
        if (is_doubling(graph_, node)) return fmt::format("{0} + {0}", operand(node.b.node));
        return fmt::format("{} * {}", operand(node.a.node), operand(node.b.node));
      case Operation::divide:
        if (divided_by_[node.b.node] > 1) return fmt::format("{} * inverse{}", operand(node.a.node), node.b.node);
        return fmt::format("{} / {}", operand(node.a.node), operand(node.b.node));
      case Operation::square_root:
        return fmt::format("{}({})", scalar_.is_pack() ? "ulna_sqrt" : function("sqrt"), whole(node.a));
      case Operation::absolute: return fmt::format("{}({})", function("fabs"), whole(node.a));
      case Operation::arc_tangent: return fmt::format("{}({}, {})", function("atan2"), whole(node.a), whole(node.b));
      case Operation::less:
        if (scalar_.is_pack())
          return fmt::format("({})({} < {})", type_name(scalar_), argument(node.a), argument(node.b));
        return fmt::format("{} < {} ? {} : {}", argument(node.a), argument(node.b), number(1.0), number(0.0));
      case Operation::select:
        if (scalar_.is_pack())
          return fmt::format("ulna_select({}, {}, {})", operand(node.a.node), whole(node.b), whole(node.c));
        return fmt::format("{} > {} ? {} : {}", operand(node.a.node), number(0.0), argument(node.b), argument(node.c));
      default: return "";
    }
  }

  int depth_of(const Node& node) const {
    const std::array operands{node.a, node.b, node.c};
    int depth = 0;
    for (int k = 0; k < operand_count(node.operation); ++k)
      depth = std::max(depth, depth_[operands[static_cast<std::size_t>(k)].node]);
    return depth + 1;
  }

  void write(std::uint32_t index) {
    const Node& node = graph_[index];
    if (uses_[index] == 0) return;  // an angle: it stands where its sine is taken
    switch (node.operation) {
      case Operation::input:
      case Operation::constant:
      case Operation::sine:
      case Operation::cosine: return;
      default: break;
    }
    const bool simple =
        node.operation == Operation::add || (node.operation == Operation::multiply && !is_doubling(graph_, node));
    text_of_[index] = expression(node);
    depth_[index] = depth_of(node);
    if (!simple || uses_[index] > 1 || depth_[index] >= deepest) {
      const auto named = recording_.names.find(index);
      const std::string name = named != recording_.names.end() ? named->second : fmt::format("t{}", index);
      line(fmt::format("const {} {} = {};", type_name(scalar_), name, text_of_[index]));
      text_of_[index] = name;
      depth_[index] = 0;
    }
    if (divided_by_[index] > 1)
      line(fmt::format("const {} inverse{} = {} / {};", type_name(scalar_), index, number(1.0), operand(index)));
  }

  /// The angle as text: an input, or a multiple of one where a joint follows another, and an offset.
  std::string angle(std::uint32_t index) const {
    const Node& node = graph_[index];
    if (node.operation == Operation::input) return text_of_[index];
    if (node.operation == Operation::multiply && graph_[node.a.node].operation == Operation::constant)
      return fmt::format("{} * {}", number(graph_[node.a.node].value), angle(node.b.node));
    if (node.operation == Operation::add && graph_[node.a.node].operation == Operation::constant)
      return fmt::format("{} {} {}", number(graph_[node.a.node].value), node.b.negative ? '-' : '+',
                         angle(node.b.node));
    throw std::logic_error("an angle that is not a joint's");
  }

  void write_turns(const std::vector<std::uint32_t>& live) {
    std::vector<std::uint32_t> angles;
    for (const std::uint32_t index : live) {
      const Node& node = graph_[index];
      if (node.operation != Operation::sine && node.operation != Operation::cosine) continue;
      const auto at = std::find(angles.begin(), angles.end(), node.a.node);
      const auto k = static_cast<std::size_t>(at - angles.begin());
      if (at == angles.end()) angles.push_back(node.a.node);
      const char* name = node.operation == Operation::sine ? "s" : "c";
      text_of_[index] = scalar_.is_pack() || scalar_.has_library_turns() ? fmt::format("{}{}", name, k)
                                                                         : fmt::format("{}{}[{}]", name, k / 4, k % 4);
    }
    scalar_.has_library_turns() ? write_library_turns(live) : write_packed_turns(angles);
  }

  /// Only what is used of an angle's sine and cosine.
  void write_library_turns(const std::vector<std::uint32_t>& live) {
    for (const std::uint32_t index : live) {
      const Node& node = graph_[index];
      if (node.operation != Operation::sine && node.operation != Operation::cosine) continue;
      line(fmt::format("const {} {} = {}({});", type_name(scalar_), text_of_[index],
                       function(node.operation == Operation::sine ? "sin" : "cos"), angle(node.a.node)));
    }
  }

  void write_packed_turns(const std::vector<std::uint32_t>& angles) {
    if (angles.empty()) return;
    const CodeScalar pack = scalar_.is_pack() ? scalar_ : four_angles;
    line(fmt::format("ulna_i{0} inside = ~(ulna_i{0}){{0}};", pack.lanes));
    const std::vector<std::string> packs = packed_angles(angles);
    for (std::size_t k = 0; k < packs.size(); ++k) {
      line(fmt::format("const {} angle{} = {};", type_name(pack), k, packs[k]));
      line(fmt::format("{0} s{1}, c{1};", type_name(pack), k));
      line(fmt::format("ulna_sincos(&angle{0}, &s{0}, &c{0}, &inside);", k));
    }
    line("if (!ulna_all(&inside)) {");
    for (std::size_t k = 0; k < packs.size(); ++k) line(fmt::format("  ulna_mend(&angle{0}, &s{0}, &c{0});", k));
    line("}");
  }

  /// An angle of several states is a pack already; of one state, four angles make one.
  std::vector<std::string> packed_angles(const std::vector<std::uint32_t>& angles) const {
    std::vector<std::string> packs;
    for (std::size_t first = 0; scalar_.is_pack() && first < angles.size(); ++first)
      packs.push_back(angle(angles[first]));
    for (std::size_t first = 0; !scalar_.is_pack() && first < angles.size(); first += 4) {
      std::vector<std::string> four;
      for (std::size_t k = first; k < first + 4; ++k) four.push_back(k < angles.size() ? angle(angles[k]) : "0.0");
      packs.push_back(fmt::format("{{{}}}", fmt::join(four, ", ")));
    }
    return packs;
  }

  const Recording& recording_;
  const OpGraph& graph_;
  CodeScalar scalar_;
  std::vector<std::string> text_of_;
  std::vector<int> depth_, uses_, divided_by_;
  std::string out_;
};

/// `pointer`: "*restrict "; a header leaves the word out, which C++ does not know and a declaration does not need.
std::string signature(const CodeFile& file, const Function& function, std::string_view pointer) {
  std::vector<std::string> arguments;
  for (const Array& array : function.recording.inputs)
    arguments.push_back(fmt::format("const {} {}{}", type_name(file.scalar), pointer, array.name));
  for (const Array& array : function.recording.outputs)
    arguments.push_back(fmt::format("{} {}{}", type_name(file.scalar), pointer, array.name));
  return fmt::format("void {}_{}({})", file.prefix, function.word, fmt::join(arguments, ", "));
}

/// A robot's name for a comment: it comes from a file and must not end the comment.
std::string in_comment(std::string name) {
  for (char& c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && std::string_view(" _-.:").find(c) == std::string_view::npos)
      c = '_';
  return name;
}

std::string comment_of(const CodeFile& file, const Function& function) {
  const Counts counts = function.recording.counts();
  std::vector<std::string> sizes;
  for (const auto* arrays : {&function.recording.inputs, &function.recording.outputs})
    for (const Array& array : *arrays) sizes.push_back(fmt::format("{}[{}]", array.name, array.elements.size()));
  std::string more;
  for (const Array& array : function.recording.inputs) {
    if (array.name == "wrench") {
      more += fmt::format(
          "\n   wrench: moment x y z, force x y z on '{}' at the mass centre of its body (without\n   the payload), in "
          "world axes.",
          in_comment(file.wrench_frame));
    }
    if (array.name == "wrenches") {
      more +=
          "\n   wrenches: moment x y z, force x y z on each moving body at its mass centre (without\n   the payload), "
          "in world axes.";
    }
    if (array.name == "inertias") {
      more +=
          "\n   inertias: of each body that varies, as a payload's beside its own, about its origin and in its axes.";
    }
    if (array.name == "payload") {
      more += fmt::format(
          "\n   payload: mass, first moment x y z, inertia xx yy zz xy xz yz about the origin of '{}', in its axes.",
          in_comment(file.payload_frame));
    }
  }
  return fmt::format(
      "/* {} by {}: {}.\n   {} multiplications, {} divisions, {} additions, {} sines and cosines.{}\n   Arrays must "
      "not "
      "overlap; matrices are stored column by column. */\n",
      function.word, function.method.empty() ? "its own way" : function.method, fmt::join(sizes, ", "),
      counts.multiplications, counts.divisions, counts.additions, counts.sincos, more);
}

/// A macro, because passing wide vectors by value depends on the machine's flags.
std::string select_c(CodeScalar pack) {
  return fmt::format(
      "\n#define ulna_select(mask, a, b) \\\n"
      "  (({0})(((ulna_i{1})(mask) & (ulna_i{1})(a)) | (~(ulna_i{1})(mask) & (ulna_i{1})(b))))\n",
      type_name(pack), pack.lanes);
}

std::string square_root_c(CodeScalar pack) {
  std::vector<std::string> roots;
  roots.reserve(static_cast<std::size_t>(pack.lanes));
  for (int k = 0; k < pack.lanes; ++k) roots.push_back(fmt::format("{}((a)[{}])", pack.single ? "sqrtf" : "sqrt", k));
  return fmt::format("\n#define ulna_sqrt(a) (({}){{{}}})\n", type_name(pack), fmt::join(roots, ", "));
}

/// For the products that recordings leave to loops; they are of one size in a file.
std::string minus_product_c(const CodeFile& file) {
  for (const Function& function : file.functions) {
    for (const Array& array : function.recording.outputs) {
      if (array.minus_times.empty()) continue;
      return fmt::format(
          R"C(
/* out = -left right, {0} x {0}, four rows at a time; the last four overlap those before. */
typedef double ulna_rows __attribute__((vector_size(32), aligned(8), may_alias));
static inline void ulna_minus_product(const double *restrict left, const double *restrict right, double *restrict out) {{
  int c, first, k;
  for (c = 0; c < {0}; ++c) {{
    for (first = 0; first < {0}; first += 4) {{
      const int r = first < {1} ? first : {1};
      ulna_rows sum = -*(const ulna_rows *)(left + r) * right[{0} * c];
      for (k = 1; k < {0}; ++k) sum -= *(const ulna_rows *)(left + {0} * k + r) * right[{0} * c + k];
      *(ulna_rows *)(out + {0} * c + r) = sum;
    }}
  }}
}}
)C",
          order_of(array), order_of(array) - 4);
    }
  }
  return "";
}

bool uses(const CodeFile& file, Operation operation) {
  for (const Function& function : file.functions)
    for (const std::uint32_t index : live_nodes(*function.recording.graph, function.recording.results()))
      if ((*function.recording.graph)[index].operation == operation) return true;
  return false;
}

std::string functions_of(const CodeFile& file) {
  std::string out;
  for (const Function& function : file.functions)
    out += "\n" + comment_of(file, function) + signature(file, function, "*restrict ") + " {\n" +
           Writer(function.recording, file.scalar).body() + "}\n";
  return out;
}

}  // namespace

CodeScalar code_scalar_named(std::string_view name, int lanes, bool plain) {
  const bool single = name == "float" || name == "float_pack", pack = name == "pack" || name == "float_pack";
  if (!single && !pack && name != "double")
    throw InputError(fmt::format("unknown scalar '{}'; known: double, float, pack, float_pack", name));
  if (!pack && lanes != 0) throw InputError("lanes are for packs: say scalar pack or float_pack");
  if (pack && lanes != 0 && lanes != 2 && lanes != 4 && lanes != 8 && lanes != 16)
    throw InputError(fmt::format("a pack has 2, 4, 8 or 16 lanes, not {}", lanes));
  if (pack && plain) throw InputError("packs are GNU vectors; plain code is for scalar double or float");
  const int usual = single ? 8 : 4;
  return {single, !pack ? 1 : lanes != 0 ? lanes : usual, plain};
}

std::string content_hash(std::string_view text) { return fmt::format("{:016x}", fnv1a(text)); }

std::string c_identifier(const std::string& name) {
  std::string id;
  for (const char c : name) id += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  if (id.empty() || std::isdigit(static_cast<unsigned char>(id[0])) != 0) id = "robot_" + id;
  return id;
}

std::string c_source(const CodeFile& file, const std::string& header_name) {
  const std::string functions = functions_of(file);
  std::string out = fmt::format(
      "/* The robot '{}' as straight-line C99{}, written by ulna {}.\n   {}Content {}. "
      "Compile with -O3 -ffp-contract=fast and this machine's -march;\n   with -DULNA_SELF_CHECK -lm the file is a "
      "program that checks itself.\n   Names: omega3_x belongs to link 3 and its own x axis, M2_1 to joints 2 and 1; "
      "t… is a part of what "
      "follows. */\n",
      in_comment(file.robot), file.scalar.has_library_turns() ? "" : " (GNU vectors for sin and cos)", version,
      file.robot_hash.empty() ? "" : fmt::format("Robot hash {}. ", file.robot_hash), content_hash(functions));
  if (!header_name.empty()) out += fmt::format("#include \"{}\"\n\n", header_name);
  out += "#include <limits.h>\n#include <math.h>\n#include <string.h>\n\n";
  out +=
      "#ifdef __FAST_MATH__\n"
      "#error \"compile without -ffast-math and -Ofast: sines and cosines rely on exact rounding\"\n"
      "#endif\n\n";
  const bool pack = file.scalar.is_pack();
  if (!file.scalar.has_library_turns()) out += sincos_c(pack ? file.scalar : four_angles);
  if (pack && uses(file, Operation::select)) out += select_c(file.scalar);
  if (pack && uses(file, Operation::square_root)) out += square_root_c(file.scalar);
  out += minus_product_c(file);
  out += functions;
  if (!file.checks.empty()) out += self_check_c(file);
  return out;
}

std::string c_header(const CodeFile& file) {
  std::string guard = file.prefix + "_H";
  std::transform(guard.begin(), guard.end(), guard.begin(), [](unsigned char c) { return std::toupper(c); });
  std::string out = fmt::format("/* The robot '{}', written by ulna {}. */\n#ifndef {}\n#define {}\n\n",
                                in_comment(file.robot), version, guard, guard);
  out += type_declaration(file.scalar);
  out += "\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n";
  for (const Function& function : file.functions)
    out += "\n" + comment_of(file, function) + signature(file, function, "*") + ";\n";
  return out + "\n#ifdef __cplusplus\n}\n#endif\n\n#endif\n";
}

}  // namespace ulna::trace
