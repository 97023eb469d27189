/* The exercise of lesson 17: x waits for the pass that makes the next p, which reads p anyway. */
#include "lesson.h"

/* Poisson's equation on SIDE^2 points. */
enum { SIDE = 64, N = SIDE * SIDE, STEPS = 120 };

/* r <- r - alpha q */
static const char move[] = "uniform sampler2D r, q;\n"
                           "vec4 kernel() {\n"
                           "  float alpha = scalar.y == 0. ? 0. : scalar.x / scalar.y;\n"
                           "  return texel(r) - alpha * texel(q);\n"
                           "}\n";
/* scalar: the old r.r, p.q, and the new r.r */
static const char turn[] = "uniform sampler2D x, r, p;\n"
                           "void kernel(out vec4 y[2]) {\n"
                           "  float alpha = scalar.y == 0. ? 0. : scalar.x / scalar.y;\n"
                           "  float beta = scalar.x == 0. ? 0. : scalar.z / scalar.x;\n"
                           "  vec4 direction = texel(p);\n"
                           "  y[0] = texel(x) + alpha * direction;\n"
                           "  y[1] = texel(r) + beta * direction;\n"
                           "}\n";

int main(int argc, char **argv) {
  static double x64[N], b64[N];
  clContext *context = lessonBegin(argc, argv);
  clTriplets *T;
  clMatrix *A;
  clVector *x, *r, *p, *q;
  clFloat *rr, *old, *pq;
  clKernel *move_r, *turn_p;
  OK(clGeneratePoisson2d(&T, SIDE, SIDE, NULL));
  OK(clMatrixCreate(&A, context, T, NULL));
  clVector **vector[] = {&x, &r, &p, &q};
  clFloat **scalar[] = {&rr, &old, &pq};
  for (int k = 0; k < 4; k++)
    OK(clMatrixCreateVector(vector[k], A, TEXLA_DOMAIN));
  for (int k = 0; k < 3; k++)
    OK(clFloatCreate(scalar[k], context));
  OK(clKernelCreate(&move_r, context, "move_r", move));
  OK(clKernelCreate(&turn_p, context, "turn", turn));
  OK(clVectorFill(r, 1));
  OK(clVectorCopy(p, r));
  OK(clVectorDot(rr, r, r));
  int64_t before = clContextStatistics(context).passes;
  for (int k = 0; k < STEPS; k++) {
    OK(clMatrixMulVector(q, A, p));
    OK(clVectorDot(pq, p, q));
    OK(clKernelExecute(move_r, &(clKernelRun){.output = {r},
                                              .input = {{"r", r}, {"q", q}},
                                              .scalar = {rr, pq},
                                              .keeps_zero = true}));
    clFloat *exchanged = old;
    old = rr;
    rr = exchanged;
    OK(clVectorDot(rr, r, r));
    OK(clKernelExecute(turn_p, &(clKernelRun){.output = {x, p},
                                              .input = {{"x", x}, {"r", r}, {"p", p}},
                                              .scalar = {old, pq, rr},
                                              .keeps_zero = true}));
  }
  int64_t passes = clContextStatistics(context).passes - before;
  OK(clVectorDownloadDouble(x, x64));
  for (int k = 0; k < N; k++)
    b64[k] = 1;
  double residual = clTripletsResidual(NULL, T, x64, b64) / SIDE;
  printf("%g passes an iteration, residual %.1e after %d iterations\n", (double)passes / STEPS,
         residual, STEPS);
  lessonExpect(residual < 1e-3, "x that waits is the same x");
  for (int k = 0; k < 4; k++)
    clVectorDestroy(*vector[k]);
  for (int k = 0; k < 3; k++)
    clFloatDestroy(*scalar[k]);
  clKernelDestroy(move_r);
  clKernelDestroy(turn_p);
  clMatrixDestroy(A);
  clTripletsDestroy(T);
  return lessonEnd();
}
