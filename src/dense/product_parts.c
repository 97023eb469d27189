/* What tiles and slabs share: operands, and how what they have computed becomes the product. */
#include "dense/product.h"
#include "vector/run.h"

/* op(A) is walked along its columns, op(B) along its rows: whether that is x depends on the
 * transposition. */
txProductOperand txProductOperandOf(const txBlock *block, bool columns) {
  bool transposed = block->op == TEXLA_TRANSPOSE;
  return (txProductOperand){block->texture,        block->x,   block->y,
                            transposed == columns, transposed, NULL};
}

bool txProductInPlace(const txProduct *p) {
  return p->c.texture == p->target;
}

/* target <- alpha times the sums + beta C; in place C is what blending adds to. */
void txProductJoin(const txProduct *p, txPass *pass) {
  int s = 0;
  while (pass->source[s].name)
    s++;
  if (p->c.texture && !txProductInPlace(p)) {
    pass->source[s] = (txSource){"c", p->c.texture, TX_EDGE};
    pass->defines = "#define C\n";
  }
  txPassUniform(pass, (txUniform){"corner", 2, {(float)p->rect.x, (float)p->rect.y}});
  txPassUniform(pass, (txUniform){"factor",
                                  4,
                                  {p->alpha, p->beta, (float)(p->c.x - p->rect.x),
                                   (float)(p->c.y - p->rect.y)}});
  txPassUniform(pass, (txUniform){"shape", 2, {(float)p->rows, (float)p->cols}});
  pass->target[0] = p->target;
  pass->rect = p->rect;
  pass->add = txProductInPlace(p);
}
