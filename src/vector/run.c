#include "vector/run.h"
#include "core/try.h"

/* A message goes to the context of the operand that is there. */
clStatus txVectorsAgree(const char *call, const char *a_name, const clVector *a, const char *b_name,
                        const clVector *b) {
  char a_text[64], b_text[64];
  if (!a)
    return txFail(txVectorError(b), TEXLA_BAD_ARGUMENT, call, "%s must not be NULL", a_name);
  if (b_name && !b)
    return txFail(txVectorError(a), TEXLA_BAD_ARGUMENT, call, "%s must not be NULL", b_name);
  if (!b_name)
    return TEXLA_OK;
  TRY(txContextSame(a->context, b->context, call));
  if (txLayoutEqual(&a->layout, &b->layout))
    return TEXLA_OK;
  return txFail(txContextError(a->context), TEXLA_BAD_SHAPE, call, "%s is %s but %s is %s%s",
                a_name, txLayoutText(&a->layout, a_text, sizeof a_text), b_name,
                txLayoutText(&b->layout, b_text, sizeof b_text),
                txWhen(a->layout.length == b->layout.length, " (clVectorCopy converts)"));
}

clStatus txPassScalar(const char *call, txPass *pass, int i, const clFloat *s, clContext *context) {
  if (!s)
    return TEXLA_OK;
  TRY(txContextSame(context, s->context, call));
  pass->scalar[i] = s->texture;
  return TEXLA_OK;
}

/* The first place that is free in the list. */
void txPassUniform(txPass *pass, txUniform uniform) {
  int i = 0;
  while (i < TX_MAX_UNIFORMS && pass->uniform[i].name)
    i++;
  if (i < TX_MAX_UNIFORMS)
    pass->uniform[i] = uniform;
  else
    pass->overfull = uniform.name;
}

/* Uniforms of both kinds are kept as floats, which are exact for all that passes need. */
void txPassIntegers(txPass *pass, const char *name, int count, int a, int b) {
  txPassUniform(pass, (txUniform){name, count, {(float)a, (float)b}, NULL, true});
}

/* The first place that is free in the list. */
void txPassSource(txPass *pass, const char *name, const txTexture *texture, txSampling sampling) {
  int i = 0;
  while (i < TX_MAX_SOURCES && pass->source[i].name)
    i++;
  if (i < TX_MAX_SOURCES)
    pass->source[i] = (txSource){name, texture, sampling};
  else
    pass->overfull = name;
}

static bool isSource(const txPass *pass, const txTexture *texture) {
  for (int i = 0; i < TX_MAX_SOURCES && pass->source[i].name; i++)
    if (pass->source[i].texture == texture)
      return true;
  for (int i = 0; i < TX_MAX_SCALARS; i++)
    if (pass->scalar[i] == texture)
      return true;
  return false;
}

/* Renders into textures[i], going through fresh ones where they are sources. */
clStatus txTexturesRun(clContext *context, const char *call, txPass *pass,
                       txTexture **const *textures, int count) {
  clStatus status = TEXLA_OK;
  txTexture *fresh[TX_MAX_TARGETS] = {NULL};
  for (int i = 0; i < count; i++) {
    txTexture *t = *textures[i];
    pass->target[i] = t;
    if (!isSource(pass, t))
      continue;
    TRY_CLEANUP(txTextureCreate(&fresh[i], context, call, t->format, t->width, t->height));
    fresh[i]->meaning = t->meaning;
    pass->target[i] = fresh[i];
  }
  TRY_CLEANUP(txPassRun(context, call, pass));
  for (int i = 0; i < count; i++)
    if (fresh[i])
      txTextureExchange(textures[i], &fresh[i]);
cleanup:
  for (int i = 0; i < count; i++)
    txTextureDestroy(fresh[i]);
  return status;
}

/* Every kernel that masks padding reads `extent`. */
clStatus txVectorsRun(const char *call, txPass *pass, clVector *const *output, int count) {
  txTexture **textures[TX_MAX_TARGETS];
  txUniform extent = {"extent", 3, {0}, NULL, false};
  txLayoutExtent(&output[0]->layout, extent.value);
  txPassUniform(pass, extent);
  for (int i = 0; i < count; i++)
    textures[i] = &output[i]->texture;
  return txTexturesRun(output[0]->context, call, pass, textures, count);
}

/* The usual case: one output. */
clStatus txVectorRun(const char *call, txPass *pass, clVector *output) {
  return txVectorsRun(call, pass, &output, 1);
}

clStatus txScalarRun(const char *call, txPass *pass, clFloat *output) {
  txTexture **texture = &output->texture;
  return txTexturesRun(output->context, call, pass, &texture, 1);
}
