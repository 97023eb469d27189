#include "vector/run.h"

clStatus txVectorsAgree(const char *call, const char *a_name, const clVector *a, const char *b_name,
                        const clVector *b) {
  char a_text[64], b_text[64];
  const clVector *known = a ? a : b;
  if (!a || (b_name && !b))
    return txFail(known ? txContextError(known->context) : NULL, TEXLA_BAD_ARGUMENT, call,
                  "%s must not be NULL", a ? b_name : a_name);
  if (!b_name)
    return TEXLA_OK;
  clStatus status = txContextSame(a->context, b->context, call);
  if (status || txLayoutEqual(&a->layout, &b->layout))
    return status;
  return txFail(txContextError(a->context), TEXLA_BAD_SHAPE, call, "%s is %s but %s is %s%s",
                a_name, txLayoutText(&a->layout, a_text, sizeof a_text), b_name,
                txLayoutText(&b->layout, b_text, sizeof b_text),
                a->layout.length == b->layout.length ? " (clVectorCopy converts)" : "");
}

const txTexture *txScalarTexture(const clFloat *s, clContext *context, const char *call,
                                 clStatus *status) {
  if (s && !*status)
    *status = txContextSame(context, s->context, call);
  return s ? s->texture : NULL;
}

void txPassUniform(txPass *pass, txUniform uniform) {
  int i = 0;
  while (i < TX_MAX_UNIFORMS && pass->uniform[i].name)
    i++;
  if (i < TX_MAX_UNIFORMS)
    pass->uniform[i] = uniform;
  else
    pass->overfull = uniform.name;
}

void txPassIntegers(txPass *pass, const char *name, int count, int a, int b) {
  txPassUniform(pass, (txUniform){name, count, {(float)a, (float)b}, NULL, true});
}

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
  for (int i = 0; i < count && !status; i++) {
    txTexture *t = *textures[i], *fresh = NULL;
    if (isSource(pass, t))
      status = txTextureCreate(&fresh, context, call, t->format, t->width, t->height);
    if (fresh)
      fresh->meaning = t->meaning;
    pass->target[i] = fresh ? fresh : t;
  }
  if (!status)
    status = txPassRun(context, call, pass);
  for (int i = 0; i < count; i++)
    if (pass->target[i] != *textures[i])
      txTextureReplace(textures[i], pass->target[i], status);
  return status;
}

clStatus txVectorsRun(const char *call, txPass *pass, clVector *const *output, int count) {
  txTexture **textures[TX_MAX_TARGETS];
  txUniform extent = {"extent", 3, {0}, NULL, false};
  txLayoutExtent(&output[0]->layout, extent.value);
  txPassUniform(pass, extent);
  for (int i = 0; i < count; i++)
    textures[i] = &output[i]->texture;
  return txTexturesRun(output[0]->context, call, pass, textures, count);
}

clStatus txVectorRun(const char *call, txPass *pass, clVector *output) {
  return txVectorsRun(call, pass, &output, 1);
}

clStatus txScalarRun(const char *call, txPass *pass, clFloat *output) {
  txTexture **texture = &output->texture;
  return txTexturesRun(output->context, call, pass, &texture, 1);
}
