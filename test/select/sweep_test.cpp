// Design sweeps: numbers put into robot files, and the front of two criteria.
#include "ulna/study/select/sweep.hpp"

#include <gtest/gtest.h>

#include "ulna/dynamics/composite_body/composite_body.hpp"
#include "ulna/io/robot/load.hpp"

namespace ulna::selection {
namespace {

/// Of the inertia matrix at some position, by column.
std::vector<double> mass_row(const Graph& graph) {
  const Model model = build(graph);
  composite_body::Workspace<double> workspace(model);
  std::vector<double> M(static_cast<std::size_t>(model.nv() * model.nv()));
  composite_body::mass_matrix(model, workspace, std::vector<double>(static_cast<std::size_t>(model.nv()), 0.4),
                              {M.data(), model.nv(), model.nv()});
  return M;
}

TEST(SweptNumber, puts_numbers_into_files) {
  const std::vector<SweptNumber> one{parse_swept_number("link2.a=0.3..0.6")};
  EXPECT_EQ(one[0].at(0, 4), 0.3);
  EXPECT_EQ(one[0].at(3, 4), 0.6);
  const Model as_is = build(load_graph("rtx")), same = build(varied_graph("rtx", one, {0.432}));
  ASSERT_EQ(as_is.body_count(), same.body_count());
  for (int i = 0; i < as_is.body_count(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    EXPECT_EQ(norm(as_is.bodies()[k].placement.p), norm(same.bodies()[k].placement.p));
    EXPECT_EQ(as_is.bodies()[k].inertia.mass, same.bodies()[k].inertia.mass);
  }
  EXPECT_EQ(build(varied_graph("rtx", one, {0.6})).bodies()[2].placement.p.x, 0.6);
  const std::vector<SweptNumber> nested{parse_swept_number("tip.pose.xyz[0]=0.5..1"),
                                        parse_swept_number("link2.mass=1..2")};
  const Model varied = build(varied_graph("pr", nested, {0.7, 1.5}));
  EXPECT_EQ(varied.bodies()[1].inertia.mass, 1.5);
  EXPECT_NEAR(norm(varied.tip().pose.p), 0.7, 1e-15);
}

TEST(SweptNumber, refuses_what_is_not_there) {
  for (const char* text : {"link2.a", "link2.a=1", "link2=1..2", "link2.a=1..1", "link2.a=x..1", ".a=1..2"})
    EXPECT_THROW(parse_swept_number(text), InputError) << text;
  for (const char* text : {"link9.a=1..2", "link2.pose.x=1..2", "link2.r[7]=1..2", "link2.r=1..2", "link2.wrong=1..2"})
    EXPECT_THROW(varied_graph("rtx", {parse_swept_number(text)}, {1.0}), InputError) << text;
  try {
    varied_graph("rtx", {parse_swept_number("link2.mass=1deg..90deg")}, {1.0});
    FAIL() << "was not refused";
  } catch (const InputError& error) {  // of a number that stands in no line
    EXPECT_EQ(std::string(error.what()).find("robots/rtx.toml: error:"), 0u) << error.what();
  }
  EXPECT_THROW(varied_graph("chain:3", {parse_swept_number("link2.a=1..2")}, {1.0}), InputError);
}

TEST(DesignRule, numbers_follow_those_that_vary) {
  const std::vector<SweptNumber> length{parse_swept_number("link2.a=0.3..0.6")};
  const std::vector<DesignRule> rules{
      parse_design_rule("link2.mass=2 + 10*link2.a"), parse_design_rule("link2.r[0] = (1 - 0.4)*link2.a"),
      parse_design_rule("link2.inertia[1]=link2.mass*link2.a^2/12"), parse_design_rule("link3.mass=-2^2+2*link3.mass")};
  for (const double a : {0.3, 0.6, 0.3}) {  // again: no arm sees what came out for another
    const Model model = build(varied_graph("rtx", length, {a}, rules));
    const Graph graph = varied_graph("rtx", length, {a}, rules);
    EXPECT_DOUBLE_EQ(find_body(graph, "link2")->mass.mass, 2.0 + 10.0 * a);
    EXPECT_DOUBLE_EQ(find_body(graph, "link3")->mass.mass, -4.0 + 2.0 * 4.0) << "of the file's 4 kg";
    EXPECT_EQ(model.bodies()[2].placement.p.x, a);
  }
  const std::vector<double> once = mass_row(varied_graph("rtx", length, {0.5}, rules));
  const Graph by_hand = varied_graph(
      "rtx",
      {parse_swept_number("link2.a=0..1"), parse_swept_number("link2.mass=0..1"), parse_swept_number("link2.r[0]=0..1"),
       parse_swept_number("link2.inertia[1]=0..1"), parse_swept_number("link3.mass=0..1")},
      {0.5, 7.0, 0.3, 7.0 * 0.25 / 12.0, 4.0});
  const std::vector<double> wanted = mass_row(by_hand);
  for (std::size_t k = 0; k < wanted.size(); ++k) EXPECT_DOUBLE_EQ(once[k], wanted[k]);
}

TEST(DesignRule, refuses_what_it_cannot_compute) {
  for (const char* text : {"link2.mass", "=1", "link2=1", "link2.mass=", "link2.mass=2*", "link2.mass=(1",
                           "link2.mass=1)", "link2.mass=1..2", "link2.mass=2 3", "link2.mass=a", "link2.mass=$"})
    EXPECT_THROW(parse_design_rule(text), InputError) << text;
  EXPECT_THROW(parse_design_rule("link2.mass=" + std::string(100'000, '(')), InputError) << "and not a stack overflow";
  EXPECT_THROW(parse_design_rule("link2.mass=" + std::string(100'000, '-') + "1"), InputError);
  const std::vector<SweptNumber> length{parse_swept_number("link2.a=0.3..0.6")};
  for (const char* text : {"link2.mass=link9.a", "link2.mass=link2.cost", "link2.mass=link2.r", "link2.mass=1/0",
                           "link2.mass=(-1)^0.5", "link2.r[5]=1", "link2.r=1"})
    EXPECT_THROW(varied_graph("rtx", length, {0.5}, {parse_design_rule(text)}), InputError) << text;
  EXPECT_THROW(parse_design_rule(std::string("link2.mass=2\0 3", 16)), InputError) << "not read to its end";
  const Graph negative = varied_graph("planar2r", length, {0.5}, {parse_design_rule("link2.mass=-link2.a")});
  EXPECT_THROW(build(negative), InputError);
}

/// body2 of this file is called link2.
TEST(DesignRule, no_number_is_set_twice_under_two_names) {
  const std::vector<SweptNumber> mass{parse_swept_number("link2.mass=1..2")};
  EXPECT_NO_THROW(varied_graph("rp", mass, {1.5}, {parse_design_rule("link1.mass=2*body2.mass")}));
  EXPECT_THROW(varied_graph("rp", mass, {1.5}, {parse_design_rule("body2.mass=3")}), InputError);
  EXPECT_THROW(varied_graph("rp", {mass[0], parse_swept_number("body2.mass=3..4")}, {1.5, 3.5}), InputError);
}

TEST(DesignRule, what_is_no_number_stays) {
  const std::vector<SweptNumber> length{parse_swept_number("link2.a=0.3..0.6")};
  for (const char* text : {"link2.r=1", "link2.joint=1"}) {
    try {
      varied_graph("rtx", length, {0.5}, {parse_design_rule(text)});
      FAIL() << text << " was not refused";
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find("rule: 'link2."), std::string::npos) << error.what();
    }
  }
}

TEST(SweptNumber, every_combination) {
  const auto list = variants({{"rtx"}, {parse_swept_number("link2.a=0..1"), parse_swept_number("link3.a=0..2")}, 3});
  ASSERT_EQ(list.size(), 9U);
  EXPECT_EQ(list[0].values, (std::vector<double>{0.0, 0.0}));
  EXPECT_EQ(list[5].values, (std::vector<double>{0.5, 2.0}));
  EXPECT_THROW(variants({{"rtx"}, {parse_swept_number("link2.a=0..1"), parse_swept_number("link3.a=0..2")}, 30}),
               InputError);
}

TEST(SweptNumber, front_of_two_criteria) {
  Criterion more{"a", "", "", true, 1.0, {1, 2, 3, 2}, {}, {}, {}},
      less{"b", "", "", false, 1.0, {1, 2, 3, 3}, {}, {}, {}};
  const std::vector<std::size_t> all{0, 1, 2, 3};
  EXPECT_EQ(pareto_front(more, less, all), (std::vector<std::size_t>{0, 1, 2}));
  EXPECT_EQ(pareto_front(more, less, std::vector<std::size_t>{1, 3}), (std::vector<std::size_t>{1}));
  less.more_is_better = true;
  EXPECT_EQ(pareto_front(more, less, all), (std::vector<std::size_t>{2}));
}

}  // namespace
}  // namespace ulna::selection
