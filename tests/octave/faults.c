/* The gateway with allocations and calls of OpenGL that fail on demand (faults.m): texla_mex
 * ("kinds"), ("fail", kind, number), ("done", kind) -> calls since then, ("blocks") -> blocks of
 * memory that are left. All other commands are the gateway's. */
#define mexFunction gateway
#include "octave/texla_mex.c"
#undef mexFunction

#include "faults/allocations.h"
#include "faults/calls.h"

enum { MEMORY = FAULTS, KINDS };

static mxArray *kinds(void) {
  mxArray *out = mxCreateCellMatrix(1, KINDS);
  for (int k = 0; k < KINDS; k++)
    mxSetCell(out, (mwIndex)k, mxCreateString(k == MEMORY ? "memory" : faultNames[k]));
  return out;
}

/* Kinds count from 1. The pointers to OpenGL's functions are those of the first context. */
static mxArray *fail(const mxArray *kind, const mxArray *number) {
  static bool broken;
  int k = (int)mxGetScalar(kind) - 1;
  long which = (long)mxGetScalar(number);
  if (!broken)
    breakOpenGl();
  broken = true;
  failAllocation(k == MEMORY ? which : 0);
  failCall(TEXTURE, 0);
  if (k < FAULTS)
    failCall((Fault)k, which);
  return NULL;
}

static mxArray *done(const mxArray *kind) {
  int k = (int)mxGetScalar(kind) - 1;
  long calls = allocationsDone(), made = callsDone(k < FAULTS ? (Fault)k : TEXTURE);
  return mxCreateDoubleScalar((double)(k == MEMORY ? calls : made));
}

void mexFunction(int outputs, mxArray *output[], int inputs, const mxArray *input[]) {
  char name[16] = "";
  textOf(input[0], name, sizeof name);
  if (strcmp(name, "kinds") == 0)
    output[0] = kinds();
  else if (strcmp(name, "fail") == 0)
    fail(input[1], input[2]);
  else if (strcmp(name, "done") == 0)
    output[0] = done(input[1]);
  else if (strcmp(name, "blocks") == 0)
    output[0] = mxCreateDoubleScalar((double)blocksLeft());
  else
    gateway(outputs, output, inputs, input);
}
