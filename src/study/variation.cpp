#include "ulna/study/variation.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "ulna/base/nearest_word.hpp"

namespace ulna {

namespace {

using What = Variation::What;

struct Word {
  std::string_view name;
  What what;
  bool of_joints;    // may have a number or a joint's name
  bool is_place;     // of a joint, or its rate: angles where it turns
  bool is_mass;      // may say kg
  bool may_be_part;  // of the nominal value
};
constexpr std::array words{
    Word{"q", What::position, true, true, false, false},
    Word{"v", What::velocity, true, true, false, false},
    Word{"tau", What::torque, true, false, false, true},
    Word{"kp", What::kp, true, false, false, true},
    Word{"kd", What::kd, true, false, false, true},
    Word{"to", What::target, true, true, false, false},
    Word{"mass", What::mass, false, false, true, true},
    Word{"payload", What::payload, false, false, true, false},
    Word{"friction", What::friction, true, false, false, true},
    Word{"coulomb", What::coulomb, true, false, false, true},
};

class Parser {
 public:
  Parser(const std::string& text, const Source& source) {
    result_.text = text;
    result_.source = source;
  }

  Variation parse() {
    const std::size_t equals = result_.text.find('=');
    const std::size_t colon = result_.text.find(':', equals == std::string::npos ? 0 : equals);
    if (equals == std::string::npos || colon == std::string::npos)
      fail("must be WHAT=LAW:SPREAD, as in q=normal:5deg or payload=uniform:0..2kg");
    const std::string what = result_.text.substr(0, equals), law = result_.text.substr(equals + 1, colon - equals - 1);
    read_what(what);
    if (law != "normal" && law != "uniform") fail(fmt::format("'{}' is no law; use normal or uniform", law));
    result_.law = law == "normal" ? Variation::Law::normal : Variation::Law::uniform;
    read_spread(result_.text.substr(colon + 1));
    return std::move(result_);
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw InputError(result_.source, fmt::format("{}: {}", result_.where(), what));
  }

  void read_what(std::string what) {
    if (const std::size_t dot = what.rfind('.'); dot != std::string::npos) {
      result_.name = what.substr(0, dot);
      what = what.substr(dot + 1);
      if (result_.name.empty()) fail("has no name before the dot");
    }
    const std::size_t digits = std::min(what.find_first_of("0123456789"), what.size());
    const std::string number = what.substr(digits);
    what.resize(digits);
    const auto word = std::find_if(words.begin(), words.end(), [&](const Word& w) { return w.name == what; });
    if (word == words.end()) unknown(what);
    word_ = &*word;
    result_.what = word->what;
    if (!number.empty()) read_number(number);
    if (word->what == What::payload && !result_.name.empty()) fail("the payload is at the tip; leave the name out");
  }

  [[noreturn]] void unknown(const std::string& what) const {
    std::vector<std::string_view> names;
    names.reserve(words.size());
    for (const Word& word : words) names.push_back(word.name);
    fail(fmt::format("'{}' cannot be varied; {}known: {}", what, guess_for(what, names), fmt::join(names, ", ")));
  }

  void read_number(const std::string& number) {
    const bool good =
        number.find_first_not_of("0123456789") == std::string::npos && number.size() < 6 && number[0] != '0';
    if (!good || !word_->of_joints || !result_.name.empty())
      fail(fmt::format("'{}' is no number of a joint of {}; write q2, or elbow.q, or forearm.mass", number,
                       word_->name));
    result_.number = std::stoi(number);
  }

  void read_spread(std::string spread) {
    const double scale = take_unit(spread);
    const auto range = parse_range(spread, result_.where(), result_.source);
    if (!range) {
      if (factor_) fail("a factor needs both ends, as in 0.9..1.1x");
      result_.high = part_of(parse_written(spread, result_.where(), result_.source), scale);
      if (!(result_.high.number > 0.0)) fail("the spread must be positive");
      if (result_.law == Variation::Law::normal) return;
      result_.low = result_.high;
      result_.low.number = -result_.high.number;
      return;
    }
    if (result_.law == Variation::Law::normal) fail("a normal spread is one number, the standard deviation");
    const double shift = factor_ ? 1.0 : 0.0;  // 0.9..1.1x are parts from −0.1 to 0.1
    result_.low = part_of(range->first, scale);
    result_.high = part_of(range->second, scale);
    result_.low.number -= shift;
    result_.high.number -= shift;
    if (!(result_.low.in_si() < result_.high.in_si())) fail("the ends of a range must rise");
  }

  /// Joints say later whether they turn or slide.
  WrittenNumber part_of(WrittenNumber number, double scale) const {
    if (!word_->is_place) number = resolve(number, {}, result_.where());
    number.number *= scale;
    return number;
  }

  /// Takes the unit off the end, other than one of angles; what a number before it is worth.
  double take_unit(std::string& spread) {
    const auto ends_with = [&](std::string_view unit) {
      if (!spread.ends_with(unit)) return false;
      spread.resize(spread.size() - unit.size());
      return true;
    };
    if (ends_with("kg")) {
      if (!word_->is_mass) fail(fmt::format("{} is no mass", word_->name));
      return 1.0;
    }
    const bool percent = ends_with("%");
    factor_ = !percent && ends_with("x");
    result_.relative = percent || factor_;
    if (result_.relative && !word_->may_be_part)
      fail(fmt::format("{} is spread by an amount and not by a part of itself", word_->name));
    if (!result_.relative && word_->what == What::mass) fail("say kg, % or x");
    return percent ? 0.01 : 1.0;
  }

  Variation result_;
  const Word* word_ = nullptr;
  bool factor_ = false;
};

}  // namespace

Variation parse_variation(const std::string& text, const Source& source) { return Parser(text, source).parse(); }

}  // namespace ulna
