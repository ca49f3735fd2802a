#include "sincos_c.hpp"

#include <fmt/format.h>

#include <string_view>

namespace ulna::trace {

namespace {

// In these texts V is the pack of angles, I the integers of V's width.
constexpr std::string_view sincos_head = R"C(typedef @I_LANE @I __attribute__((vector_size(@BYTES)));

/* Angles that the reduction cannot take, and no others: by the library's sin and cos. */
static __attribute__((noinline, cold, unused)) void ulna_mend(const @V *at, @V *sine, @V *cosine) {
  int k;
  for (k = 0; k < @LANES; ++k) {
    if ((*at)[k] < @LIMIT && (*at)[k] > -@LIMIT) continue;
    (*sine)[k] = @SIN((*at)[k]);
    (*cosine)[k] = @COS((*at)[k]);
  }
}

static inline int ulna_all(const @I *mask) {
  @I_LANE lane[@LANES];
  int k;
  @I_LANE all = -1;
  memcpy(lane, mask, sizeof(lane));
  for (k = 0; k < @LANES; ++k) all &= lane[k];
  return all != 0;
}

)C";

constexpr std::string_view in_double =
    R"C(/* sin and cos of @LANES angles at once: Cody-Waite reduction by pi/2 in three parts, then polynomials
   on [-pi/4, pi/4]; error below 1.6 ulp for |x| < 1e5; where it is not inside, see ulna_mend. */
static inline void ulna_sincos(const @V *at, @V *sine, @V *cosine, @I *inside) {
  const @V x = *at;
  const @V quadrant = x * 0.63661977236758134308 + 6755399441055744.0;
  const @V n = quadrant - 6755399441055744.0;
  const @V y = ((x - n * 0x1.921fb5444p+0) - n * 0x1.68c234c4cp-39) - n * 0x1.98a2e03707345p-77;
  const @V z = y * y;
  const @V s =
      y + (z * y) *
              (-1.66666666666666324348e-01 +
               z * (8.33333333332248946124e-03 +
                    z * (-1.98412698298579493134e-04 +
                         z * (2.75573137070700676789e-06 +
                              z * (-2.50507602534068634195e-08 + z * 1.58969099521155010221e-10)))));
  const @V c =
      1.0 + z * (-0.5 +
                 z * (4.16666666666666019037e-02 +
                      z * (-1.38888888888741095749e-03 +
                           z * (2.48015872894767294178e-05 +
                                z * (-2.75573143513906633035e-07 +
                                     z * (2.08757232129817482790e-09 + z * -1.13596475577881948265e-11))))));
  const @I bits = (@I)quadrant;
)C";

constexpr std::string_view in_single =
    R"C(/* sin and cos of @LANES angles at once: Cody-Waite reduction by pi/2 in four parts, whose products with n are
   exact, fused or not; then polynomials on [-pi/4, pi/4]; error below 1.6 ulp for |x| < 3000; where it is not
   inside, see ulna_mend. */
static inline void ulna_sincos(const @V *at, @V *sine, @V *cosine, @I *inside) {
  const @V x = *at;
  const @V quadrant = x * 0x1.45f306p-1f + 12582912.0f;
  const @V n = quadrant - 12582912.0f;
  const @V first = x - n * 0x1.922p+0f;
  const @V second = first - n * -0x1.2afp-18f;
  const @V lost = (first - second) - n * -0x1.2afp-18f;
  const @V y = (second + (lost - n * 0x1.0b48p-34f)) - n * -0x1.ee58p-50f;
  const @V z = y * y;
  const @V s = y + y * z * (-1.6666654611e-1f + z * (8.3321608736e-3f + z * -1.9515295891e-4f));
  const @V c = 1.0f - 0.5f * z + z * z * (4.166664568298827e-2f + z * (-1.388731625493765e-3f + z * 2.443315711809948e-5f));
  const @I bits = (@I)quadrant;
)C";

constexpr std::string_view tail = R"C(  const @I swap = ((@I)s ^ (@I)c) & -(bits & 1);
  *sine = (@V)(((@I)s ^ swap) ^ ((bits << @SHIFT) & @SIGN));
  *cosine = (@V)(((@I)c ^ swap) ^ (((bits + 1) << @SHIFT) & @SIGN));
  *inside &= x * x < @LIMIT * @LIMIT;
}
)C";

void replace_all(std::string& text, std::string_view from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

}  // namespace

std::string type_name(CodeScalar scalar) {
  if (scalar.lanes == 1) return scalar.single ? "float" : "double";
  return fmt::format("ulna_{}{}", scalar.single ? 'f' : 'd', scalar.lanes);
}

std::string type_declaration(CodeScalar scalar) {
  if (scalar.lanes == 1) return "";
  const std::string name = type_name(scalar), element = type_name({scalar.single, 1});
  return fmt::format("#ifndef {0}_TYPE\n#define {0}_TYPE\ntypedef {1} {0} __attribute__((vector_size({2})));\n#endif\n",
                     name, element, scalar.lanes * (scalar.single ? 4 : 8));
}

std::string sincos_c(CodeScalar pack) {
  const int width = pack.single ? 4 : 8;
  std::string text = type_declaration(pack) + std::string(sincos_head) +
                     std::string(pack.single ? in_single : in_double) + std::string(tail);
  // longer names first: some begin like others
  replace_all(text, "@I_LANE", pack.single ? "int" : "long long");
  replace_all(text, "@LIMIT", pack.single ? "3e3f" : "1e5");
  replace_all(text, "@LANES", std::to_string(pack.lanes));
  replace_all(text, "@BYTES", std::to_string(width * pack.lanes));
  replace_all(text, "@SHIFT", std::to_string(8 * width - 2));
  replace_all(text, "@SIGN", pack.single ? "INT_MIN" : "LLONG_MIN");
  replace_all(text, "@SIN", pack.single ? "sinf" : "sin");
  replace_all(text, "@COS", pack.single ? "cosf" : "cos");
  replace_all(text, "@I", fmt::format("ulna_i{}", pack.lanes));
  replace_all(text, "@V", type_name(pack));
  return text;
}

}  // namespace ulna::trace
