// Design sweeps: numbers put into robot files, and the front of two criteria.
#include "ulna/study/select/sweep.hpp"

#include <gtest/gtest.h>

#include "ulna/io/robot/load.hpp"

namespace ulna::selection {
namespace {

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
