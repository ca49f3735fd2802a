// Numbers below 1e-308 are read natively; the C++ library of emscripten takes them for errors, because C's strtod says
// that they have lost digits. The linker puts this in its place (--wrap).
#ifdef __EMSCRIPTEN__
#include <locale.h>  // NOLINT: locale_t

#include <cerrno>
#include <cmath>
#include <cstdlib>

extern "C" {
double __real_strtod_l(const char* text, char** end, locale_t locale);  // NOLINT: the linker's name

double __wrap_strtod_l(const char* text, char** end, locale_t locale) {  // NOLINT: the linker's name
  const double value = __real_strtod_l(text, end, locale);
  if (errno == ERANGE && value != 0.0 && std::isfinite(value)) errno = 0;
  return value;
}
}
#endif
