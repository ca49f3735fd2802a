/* What a Cortex-M4 does before main, for bench/controllers: the stack, the floating-point unit, then newlib's _start. */
#include <stdint.h>

extern void _start(void);

static void reset(void) {
  *(volatile uint32_t *)0xE000ED88 |= 0xFu << 20; /* CPACR: full access to the coprocessors 10 and 11 */
  __asm__ volatile("dsb\n isb");
  _start();
}

__attribute__((section(".vectors"), used)) void (*const vectors[])(void) = {(void (*)(void))0x20020000, reset};
