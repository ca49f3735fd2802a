/* The dynamics of one robot as plain C: `ulna codegen puma560 --of id,fd -o puma.c` writes it, and a program that knows
   nothing of Ulna calls it. Torques for an acceleration must give that acceleration back. */
#include <math.h>
#include <stdio.h>

#include "puma.h"

int main(void) {
  const double q[6] = {0.1, -0.5, 0.4, 1.0, 0.3, -0.2}, v[6] = {0.5, 0.4, -0.3, 1.0, -1.0, 0.2};
  const double wanted[6] = {1.0, -2.0, 3.0, 0.5, -0.5, 4.0};
  double tau[6], a[6], worst = 0.0;
  int k;
  puma560_id(q, v, wanted, tau);
  puma560_fd(q, v, tau, a);
  for (k = 0; k < 6; ++k) {
    printf("joint %d: %9.4f N m\n", k + 1, tau[k]);
    worst = fmax(worst, fabs(a[k] - wanted[k]));
  }
  printf("the accelerations come back to %.1e rad/s^2\n", worst);
  return worst < 1e-9 ? 0 : 1;
}
