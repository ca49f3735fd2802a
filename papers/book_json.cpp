#include "papers/book_files.hpp"
#include "ulna/version.hpp"

namespace ulna::reproduction {

namespace {

using Json = nlohmann::ordered_json;

// nlohmann writes numbers that are not finite as null.
Json to_json(const Plot& plot) {
  Json curves = Json::array();
  for (const Curve& curve : plot.curves) curves.push_back({{"name", curve.name}, {"x", curve.x}, {"y", curve.y}});
  return {{"kind", "plot"}, {"title", plot.title}, {"x", plot.x_label}, {"y", plot.y_label}, {"curves", curves}};
}

Json to_json(const Section& section) {
  Json claims = Json::array(), tables = Json::array(), figures = Json::array();
  for (const Claim& claim : section.claims) {
    claims.push_back({{"where", claim.where},
                      {"what", claim.what},
                      {"printed", claim.printed},
                      {"computed", claim.computed},
                      {"verdict", name_of(claim.verdict)},
                      {"why", claim.why}});
  }
  for (const Table& table : section.tables)
    tables.push_back({{"caption", table.caption}, {"head", table.head}, {"rows", table.rows}});
  for (const Figure& figure : section.figures) {
    Json pictures = Json::array();
    for (const Plot& plot : figure.pictures) pictures.push_back(to_json(plot));
    figures.push_back({{"caption", figure.caption}, {"pictures", pictures}});
  }
  return {{"title", section.title}, {"claims", claims}, {"tables", tables}, {"figures", figures}};
}

Json to_json(const Tally& count) {
  return {{"agrees", count.agrees},
          {"misprint", count.misprints},
          {"not_determinable", count.not_determinable},
          {"differs", count.differs}};
}

}  // namespace

Json book_json(const std::vector<Chapter>& chapters) {
  Json list = Json::array();
  for (const Chapter& chapter : chapters) {
    Json sections = Json::array();
    for (const Section& section : chapter.sections) sections.push_back(to_json(section));
    list.push_back({{"paper", chapter.paper->number},
                    {"key", chapter.paper->key},
                    {"title", chapter.paper->title},
                    {"authors", chapter.paper->authors},
                    {"complete", chapter.complete},
                    {"verdicts", to_json(tally({chapter}))},
                    {"sections", sections}});
  }
  return {{"schema", "ulna-reproduce-1"}, {"ulna", version}, {"verdicts", to_json(tally(chapters))}, {"papers", list}};
}

}  // namespace ulna::reproduction
