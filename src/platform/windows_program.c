/* What programs for Windows tell its drivers and its C library: part of each program, not of the
 * library. */

/* The faster of a laptop's two GPUs. */
__declspec(dllexport) unsigned long NvOptimusEnablement = 1;
__declspec(dllexport) int AmdPowerXpressRequestHighPerformance = 1;

/* Arguments stay as they are: "cg*" is no file. */
int _dowildcard = 0;
