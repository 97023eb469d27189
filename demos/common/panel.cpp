#include "common/panel.h"

#include <cfloat>
#include <cstdint>
#include <cstdio>
#include <cstring>

#include <GLFW/glfw3.h>
#include <imgui.h>
#include <imgui_impl_glfw.h>
#include <imgui_impl_opengl3.h>

namespace {

enum { EVENTS = 4096 };

/* A key (character 0) or a character, as GLFW has told it. */
struct Event {
  unsigned character;
  int key, scancode, action, modifiers;
};

} // namespace

/* ImGui keeps its state in a context of its own; what is here is a number that is being dragged, and what has been typed since the last frame: ImGui
 * looks at keys once a frame, and would miss those that are pressed and released in between. */
struct demoPanel {
  int held; /* the item; -1: none */
  double number;
  bool writes; /* the editor is shown, and has been before */
  bool ran;    /* its text has just been run: a wrong one is gone on with */
  bool drawn;  /* since demoPanelTakeKeys: otherwise ImGui does not know that it is gone, and would take what is the window's */
  GLFWwindow *glfw;
  GLFWkeyfun window_key; /* the window's, for escape: ImGui would throw away what has been typed */
  GLFWkeyfun on_key;     /* ImGui's, which call those that the window had */
  GLFWcharfun on_character;
  Event event[EVENTS];
  int events;
};

static demoPanel *keyboard; /* of the only window */

static void addEvent(const Event &event) {
  if (keyboard->events < EVENTS)
    keyboard->event[keyboard->events++] = event;
}

static void onKey(GLFWwindow *glfw, int key, int scancode, int action, int modifiers) {
  (void)glfw;
  addEvent({0, key, scancode, action, modifiers});
}

static void onCharacter(GLFWwindow *glfw, unsigned character) {
  (void)glfw;
  addEvent({character, 0, 0, 0, 0});
}

static void pass(demoPanel *panel, const Event &event) {
  if (event.character)
    panel->on_character(panel->glfw, event.character);
  else if (event.key == GLFW_KEY_ESCAPE)
    panel->window_key(panel->glfw, event.key, event.scancode, event.action, event.modifiers);
  else
    panel->on_key(panel->glfw, event.key, event.scancode, event.action, event.modifiers);
}

/* The first events, as far as one frame can tell their order: releases, or modifiers and one key with its character. */
static void passSome(demoPanel *panel) {
  int count = 0;
  bool pressed = false, released = false, ends = false;
  for (; count < panel->events && !ends; count++) {
    const Event &event = panel->event[count];
    bool modifier = event.key >= GLFW_KEY_LEFT_SHIFT && event.key <= GLFW_KEY_RIGHT_SUPER;
    bool press = !event.character && !modifier && event.action != GLFW_RELEASE;
    if ((pressed && !event.character) || (press && released))
      break;
    ends = event.character != 0;
    pressed |= press;
    released |= !event.character && event.action == GLFW_RELEASE;
    pass(panel, event);
  }
  panel->events -= count;
  std::memmove(panel->event, panel->event + count, static_cast<size_t>(panel->events) * sizeof *panel->event);
}

void demoPanelTakeKeys(demoPanel *panel) {
  if (!panel)
    return;
  for (int k = 0; k < panel->events && !panel->drawn; k++)
    pass(panel, panel->event[k]);
  panel->events = panel->drawn ? panel->events : 0;
  panel->drawn = false;
}


demoPanel *demoPanelCreate(void *glfw, const char *font, float pixels) {
  IMGUI_CHECKVERSION();
  ImGui::CreateContext();
  ImGuiIO &io = ImGui::GetIO();
  io.IniFilename = nullptr; /* no file of settings in the user's folder */
  io.LogFilename = nullptr;
  if (font)
    io.Fonts->AddFontFromFileTTF(font, pixels);
  ImGui::StyleColorsDark();
  ImGui::GetStyle().ScaleAllSizes(pixels / 15);
  GLFWkeyfun window_key = glfwSetKeyCallback(static_cast<GLFWwindow *>(glfw), nullptr);
  glfwSetKeyCallback(static_cast<GLFWwindow *>(glfw), window_key);
  ImGui_ImplGlfw_InitForOpenGL(static_cast<GLFWwindow *>(glfw), true);
  ImGui_ImplOpenGL3_Init("#version 330");
  keyboard = new demoPanel{};
  keyboard->held = -1;
  keyboard->glfw = static_cast<GLFWwindow *>(glfw);
  keyboard->window_key = window_key;
  keyboard->on_key = glfwSetKeyCallback(keyboard->glfw, onKey);
  keyboard->on_character = glfwSetCharCallback(keyboard->glfw, onCharacter);
  return keyboard;
}

void demoPanelDestroy(demoPanel *panel) {
  if (!panel)
    return;
  glfwSetKeyCallback(panel->glfw, panel->on_key);
  glfwSetCharCallback(panel->glfw, panel->on_character);
  ImGui_ImplOpenGL3_Shutdown();
  ImGui_ImplGlfw_Shutdown();
  ImGui::DestroyContext();
  delete panel;
}

bool demoPanelTakesMouse(const demoPanel *panel) {
  return panel && panel->drawn && ImGui::GetIO().WantCaptureMouse;
}

bool demoPanelTakesKeys(const demoPanel *panel) {
  return panel && panel->drawn && ImGui::GetIO().WantTextInput;
}

static bool drawChoice(const demoPanelItem &item) {
  const txOption *o = item.option;
  const char *const *choices = item.choices ? item.choices : o->choices;
  int *value = static_cast<int *>(o->target), old = *value, shown = *value < 0 ? static_cast<int>(item.own) : *value;
  const char *own = "the scene's own";
  if (ImGui::BeginCombo(o->name, shown < 0 ? own : choices[shown])) {
    if (item.scenes && ImGui::Selectable(own, *value < 0))
      *value = -1;
    for (int k = 0; choices[k]; k++)
      if (ImGui::Selectable(choices[k], k == *value))
        *value = k;
    ImGui::EndCombo();
  }
  return *value != old;
}

/* A number is dragged by parts of itself, or typed after a double click; it counts when it is let go, and is told before that while it is dragged. */
static bool drawNumber(demoPanel *panel, int place, const demoPanelItem &item, demoPanelView *view) {
  const txOption *o = item.option;
  bool whole = o->kind == TX_OPTION_INTEGER;
  double value = whole ? static_cast<double>(*static_cast<int64_t *>(o->target)) : *static_cast<double *>(o->target);
  bool bounded = o->least < o->most, given = value != 0 && !(bounded && value < o->least);
  double shown = panel->held == place ? panel->number : given ? value : item.own;
  float speed = static_cast<float>(shown > 0 ? 0.01 * shown : 0.01);
  bool slides = bounded && !whole && o->most < 1e30 && o->least > -1e30;
  bool edited = slides ? ImGui::SliderScalar(o->name, ImGuiDataType_Double, &shown, &o->least, &o->most, "%.4g")
                       : ImGui::DragScalar(o->name, ImGuiDataType_Double, &shown, whole && speed < 0.1f ? 0.1f : speed,
                                           nullptr, nullptr,
                                           shown == 0 ? "none" : whole ? "%.0f" : "%.4g");
  if (edited) {
    panel->held = place;
    panel->number = shown;
  }
  bool allowed = !bounded || (whole ? shown >= o->least && shown <= o->most : shown > o->least && shown < o->most);
  if (edited && allowed && ImGui::IsMouseDown(ImGuiMouseButton_Left)) {
    view->held = place;
    view->number = shown;
  }
  if (!ImGui::IsItemDeactivatedAfterEdit())
    return false;
  panel->held = -1;
  if (!allowed)
    return false;
  if (whole)
    *static_cast<int64_t *>(o->target) = static_cast<int64_t>(shown + 0.5);
  else
    *static_cast<double *>(o->target) = shown;
  return true;
}

static void drawView(demoPanelView *view) {
  const double least = 0.002, most = 0.25;
  ImGui::SliderScalar("brush", ImGuiDataType_Double, &view->brush, &least, &most, "%.3f", ImGuiSliderFlags_Logarithmic);
  ImGui::Checkbox("hold the colours' range", &view->holds);
  if (view->holds)
    ImGui::InputScalarN("from, to", ImGuiDataType_Double, view->range, 2, nullptr, nullptr, "%.4g");
}

/* The line that is wrong, with a mark below the column. */
static void drawComplaint(const demoPanelView *view) {
  const ImVec4 red(1, 0.45f, 0.4f, 1);
  const char *line = view->text;
  for (int k = 1; k < view->place[0] && line; k++) {
    line = std::strchr(line, '\n');
    line = line ? line + 1 : nullptr;
  }
  size_t length = line ? std::strcspn(line, "\n") : 0, before = static_cast<size_t>(view->place[1]) - 1;
  if (view->place[1] > 0 && before <= length) {
    float left = ImGui::GetCursorPosX();
    ImGui::TextUnformatted(line, line + length);
    ImGui::SetCursorPosX(left + ImGui::CalcTextSize(line, line + before).x);
    ImGui::TextColored(red, "^");
  }
  ImGui::PushStyleColor(ImGuiCol_Text, red);
  ImGui::TextWrapped("%s", view->complaint);
  ImGui::PopStyleColor();
}

static void drawEditor(demoPanel *panel, const char *title, demoPanelView *view) {
  const ImGuiInputTextFlags flags = ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AllowTabInput;
  float line = ImGui::GetTextLineHeight();
  ImVec2 display = ImGui::GetIO().DisplaySize;
  char name[192];
  snprintf(name, sizeof name, "%s: its text###text", title);
  ImGui::SetNextWindowPos(ImVec2(0.35f * display.x, 0.2f * display.y), ImGuiCond_FirstUseEver);
  ImGui::SetNextWindowSize(ImVec2(0.62f * display.x, 0.75f * display.y), ImGuiCond_FirstUseEver);
  ImGui::SetNextWindowBgAlpha(0.9f);
  ImGui::Begin(name, &view->edits);
  float below = (*view->complaint ? 6.5f : 2.2f) * line;
  if (!panel->writes || (panel->ran && *view->complaint))
    ImGui::SetKeyboardFocusHere();
  bool runs = ImGui::InputTextMultiline("##text", view->text, view->room, ImVec2(-1, -below), flags);
  *view->edited |= ImGui::IsItemEdited();
  if (ImGui::Button("run (ctrl + enter)") || runs)
    view->act = DEMO_RUN;
  ImGui::SameLine();
  if (ImGui::Button("start anew"))
    view->act = DEMO_RESTART;
  ImGui::SameLine();
  if (ImGui::Button("revert"))
    view->act = DEMO_REVERT;
  ImGui::SameLine();
  if (ImGui::Button("save"))
    view->act = DEMO_KEEP;
  if (*view->complaint)
    drawComplaint(view);
  panel->ran = view->act == DEMO_RUN;
  ImGui::End();
}

static int drawNumbers(demoPanel *panel, const char *title, const demoPanelItem *items, int count,
                       demoPanelView *view) {
  int changed = -1;
  float line = ImGui::GetTextLineHeight();
  char name[192];
  snprintf(name, sizeof name, "%s###numbers", title);
  ImGui::SetNextWindowPos(ImVec2(line, 4 * line), ImGuiCond_FirstUseEver);
  ImGui::SetNextWindowSizeConstraints(ImVec2(0, 0), ImVec2(FLT_MAX, ImGui::GetIO().DisplaySize.y - 5 * line)); /* or it scrolls */
  ImGui::SetNextWindowBgAlpha(0.85f);
  ImGui::Begin(name, nullptr, ImGuiWindowFlags_AlwaysAutoResize);
  ImGui::PushItemWidth(11 * line);
  for (int k = 0; k < count; k++) {
    if (items[k].option->kind == TX_OPTION_CHOICE ? drawChoice(items[k]) : drawNumber(panel, k, items[k], view))
      changed = k;
    if (ImGui::IsItemHovered() && items[k].option->help)
      ImGui::SetTooltip("%s", items[k].option->help);
  }
  drawView(view);
  ImGui::PopItemWidth();
  ImGui::End();
  return changed;
}

int demoPanelDraw(demoPanel *panel, const char *title, const demoPanelItem *items, int count, demoPanelView *view) {
  int changed = -1;
  if (!panel)
    return changed;
  panel->drawn = true;
  do { /* frames that nobody sees, while keys wait */
    passSome(panel);
    ImGui_ImplOpenGL3_NewFrame();
    ImGui_ImplGlfw_NewFrame();
    ImGui::NewFrame();
    if (view->numbers)
      changed = drawNumbers(panel, title, items, count, view);
    if (view->edits)
      drawEditor(panel, title, view);
    panel->writes = view->edits;
    ImGui::Render();
  } while (panel->events && changed < 0 && view->act == DEMO_TYPE);
  ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
  return changed;
}
