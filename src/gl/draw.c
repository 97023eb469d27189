/* The draw calls of a pass: rectangles, in parts where they are long, and vertices. */
#include "gl/gl.h"
#include "core/numbers.h"

/* Fetches per draw call: a longer pass is split, because drivers stop or drop draws that run for
 * seconds. */
static const int64_t longest_draw = (int64_t)1 << 31;

/* Rasterizes a part of the rectangle; uv runs over the whole target. The triangle has legs twice as
 * long as the rectangle. Software renderers clip it to the viewport, into two triangles, and shade
 * the tiles that the diagonal crosses with masks, for each of them. So for those the viewport is as
 * large as the triangle, and scissors cut it. */
static void drawBlock(const clContext *context, const txShaderProgram *program, const txPass *pass,
                      txRect r) {
  const txTexture *target = pass->target[0];
  txUniformSlot *span = txSlotFind(context, program, "txSpan");
  bool whole = context->traits.whole_triangle;
  bool cut = whole && (r.width < target->width || r.height < target->height);
  int width = r.width, height = r.height;
  if (whole) {
    width = txLeast(2 * r.width, context->viewport[0]);
    height = txLeast(2 * r.height, context->viewport[1]);
  }
  float w = (float)target->width, h = (float)target->height;
  float rw = (float)r.width, rh = (float)r.height;
  const float place[8] = {rw / w,
                          rh / h,
                          (float)r.x / w,
                          (float)r.y / h,
                          2 * rw / (float)width,
                          2 * rh / (float)height};
  if (span && !txSlotHolds(span, place, 8))
    glUniform4fv(span->location, 2, place);
  glViewport(r.x, r.y, width, height);
  if (cut) {
    glEnable(GL_SCISSOR_TEST);
    glScissor(r.x, r.y, r.width, r.height);
  }
  if (pass->geometry)
    glDrawArrays(GL_TRIANGLES_ADJACENCY, 0, 6);
  else
    glDrawArrays(GL_TRIANGLES, 0, 3);
  if (cut)
    glDisable(GL_SCISSOR_TEST);
}

/* Once with each uniform block, side by side. */
static void drawBlocks(clContext *context, const txShaderProgram *program, const txPass *pass,
                       txRect r) {
  const txBlocks *b = &pass->blocks;
  for (int i = 0; i < b->count; i++, r.x += r.width) {
    glBindBufferRange(GL_UNIFORM_BUFFER, 0, context->blocks,
                      (GLintptr)((size_t)(b->first + i) * b->bytes), (GLsizeiptr)b->bytes);
    int above = b->slope ? i / b->slope : 0;
    drawBlock(context, program, pass, (txRect){r.x, r.y + above, r.width, r.height - above});
    context->counters.draws++;
  }
  glBindBuffer(GL_UNIFORM_BUFFER, 0);
}

/* Between the parts of a long pass: drivers stop or drop what runs for seconds. */
static void countDraw(clContext *context, bool more) {
  context->counters.draws++;
  if (more)
    glFlush();
}

static void drawRect(clContext *context, const txShaderProgram *program, const txPass *pass,
                     txRect r, int64_t area) {
  int width = (int)txLeast64(area, r.width);
  int height = (int)txLeast64(area / width, r.height);
  for (int y = 0; y < r.height; y += height)
    for (int x = 0; x < r.width; x += width) {
      int w = txLeast(r.width - x, width), h = txLeast(r.height - y, height);
      drawBlock(context, program, pass, (txRect){r.x + x, r.y + y, w, h});
      countDraw(context, x + w < r.width || y + h < r.height);
    }
}

int64_t txPassVertices(const txPass *pass) {
  if (pass->shape == TX_RECT)
    return pass->geometry ? 6 : 3;
  if (pass->count || !pass->vertices)
    return pass->count;
  return pass->vertices->count - pass->first;
}

/* Points are split as rectangles are; a triangle is not, because it may cover everything. */
static void drawVertices(clContext *context, const txPass *pass, int64_t area) {
  const txTexture *target = pass->target[0];
  int64_t end = pass->first + txPassVertices(pass), step = end;
  GLenum mode = GL_TRIANGLES;
  if (pass->shape == TX_POINTS) {
    step = area;
    mode = GL_POINTS;
  }
  glViewport(0, 0, target->width, target->height);
  if (pass->vertices)
    glBindVertexArray(pass->vertices->array);
  for (int64_t at = pass->first; at < end; at += step) {
    int64_t n = txLeast64(end - at, step);
    glDrawArrays(mode, (GLint)at, (GLsizei)n);
    countDraw(context, at + n < end);
  }
}

/* Mesa's software renderer compiles a fragment shader twice: for squares of pixels that a shape
 * covers, and for those that it covers in part, where what the target holds is kept. A logic
 * operation needs what the target holds everywhere, so that one of the two is left; GL_COPY changes
 * nothing, and no logic operation does anything to floats. */
static bool isCompiledOnce(const clContext *context, const txPass *pass, txRect rect) {
  int64_t texels = (int64_t)rect.width * rect.height;
  if (pass->shape == TX_POINTS)
    texels = txPassVertices(pass);
  return texels <= context->traits.compiled_once && !pass->add;
}

/* Blocks of uniforms are drawn one by one; a rectangle or points in parts that take no longer than
 * drivers allow. */
void txPassDraw(clContext *context, const txShaderProgram *program, const txPass *pass, txRect rect,
                int sources) {
  int64_t work = pass->work;
  if (work <= 0)
    work = sources + !sources;
  /* Fragments that one draw call may have. */
  int64_t area = longest_draw / work;
  if (area < 1)
    area = 1;
  if (pass->add) {
    glEnable(GL_BLEND);
    glBlendEquation(GL_FUNC_ADD);
    glBlendFunc(GL_ONE, GL_ONE);
  }
  bool once = isCompiledOnce(context, pass, rect);
  if (once)
    glEnable(GL_COLOR_LOGIC_OP);
  glBindVertexArray(context->vertex_array);
  if (pass->blocks.count)
    drawBlocks(context, program, pass, rect);
  else if (pass->shape == TX_RECT)
    drawRect(context, program, pass, rect, area);
  else
    drawVertices(context, pass, area);
  if (once)
    glDisable(GL_COLOR_LOGIC_OP);
  if (pass->add)
    glDisable(GL_BLEND);
}
