#include "common/panel.h"

#include <cfloat>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>

#include "common/imgui_versions.h"

namespace {

/* items have other numbers than lines */
enum { EVENTS = 4096, RECTANGLES = 3, DEMO_PANEL_LINES = 1000, LARGE = 2 };

/* A key (character 0) or a character, as GLFW has told it. */
struct Event {
  unsigned character;
  int key, scancode, action, modifiers;
};

} // namespace

/* ImGui keeps its state in a context of its own; what is here is a number that is being dragged,
 * and what has been typed since the last frame: ImGui looks at keys once a frame, and would miss
 * those that are pressed and released in between. */
struct demoPanel {
  /* the item; -1: none */
  int held;
  double number;
  /* the editor is shown, and has been before */
  bool writes;
  /* its text has just been run: a wrong one is gone on with */
  bool ran;
  /* what has been typed has just been given up; so often */
  bool reverted;
  int field;
  /* the key that was pressed with control since the last frame; 0: none */
  int command;
  /* frames until keys are passed on */
  int waits;
  /* pictures for which keys wait, since the last one opens the editor */
  int opens;
  /* escape has been passed on, which the window answers with the next picture */
  bool escaped;
  /* since demoPanelTakeKeys: otherwise ImGui does not know that it is gone, and would take what is
   * the window's */
  bool drawn;
  /* left, top, right, bottom of what was drawn last */
  float rectangle[RECTANGLES][4];
  int rectangles;
  /* a menu was open, and is to be closed */
  bool popped, closes;
  /* small pictures, and their places in the texture of the letters */
  const uint8_t *sketches;
  ImVector<int> sketch;
  /* the height of its letters where the window is small, and how much larger they are now */
  float pixels, larger;
  /* without a font's file */
  bool built_in;
  ImGuiStyle style;
  GLFWwindow *glfw;
  /* the window's, for escape: ImGui would throw away what has been typed */
  GLFWkeyfun window_key;
  /* ImGui's, which call those that the window had */
  GLFWkeyfun on_key;
  GLFWcharfun on_character;
  Event event[EVENTS];
  int events;
};

/* of the only window */
static demoPanel *keyboard;

static void addEvent(const Event &event) {
  if (keyboard->events < EVENTS)
    keyboard->event[keyboard->events++] = event;
}

static void pass(demoPanel *panel, const Event &event) {
  bool opener = event.character == 'd' || event.character == 'D';
  if (opener && !ImGui::GetIO().WantTextInput)
    panel->opens = 2;
  if (event.character) {
    panel->on_character(panel->glfw, event.character);
  } else if (event.key == GLFW_KEY_ESCAPE) {
    panel->escaped = true;
    panel->window_key(panel->glfw, event.key, event.scancode, event.action, event.modifiers);
  } else {
    if (event.action == GLFW_PRESS && (event.modifiers & GLFW_MOD_CONTROL))
      panel->command = event.key;
    imguiKey(panel->on_key, panel->window_key, panel->glfw, event.key, event.scancode, event.action,
             event.modifiers);
  }
}

/* What is not typed into the panel goes on at once. */
static void take(const Event &event) {
  if (keyboard->events > 0 || keyboard->writes || keyboard->opens > 0 ||
      ImGui::GetIO().WantTextInput)
    addEvent(event);
  else
    pass(keyboard, event);
}

static void onKey(GLFWwindow *glfw, int key, int scancode, int action, int modifiers) {
  (void)glfw;
  take({0, key, scancode, action, modifiers});
}

static void onCharacter(GLFWwindow *glfw, unsigned character) {
  (void)glfw;
  take({character, 0, 0, 0, 0});
}

static void forgetEvents(demoPanel *panel, int count) {
  panel->events -= count;
  std::memmove(panel->event, panel->event + count,
               static_cast<size_t>(panel->events) * sizeof *panel->event);
}

/* The first events, as far as one frame can tell their order: releases, or modifiers and one key
 * with its character. */
static void passSome(demoPanel *panel) {
  int count = 0;
  bool pressed = false, released = false, ends = false;
  for (; count < panel->events && !ends; count++) {
    const Event &event = panel->event[count];
    bool modifier = event.key >= GLFW_KEY_LEFT_SHIFT && event.key <= GLFW_KEY_RIGHT_SUPER;
    bool press = !event.character && !modifier && event.action != GLFW_RELEASE;
    if ((pressed && !event.character) || (press && released))
      break;
    ends = event.character != 0 || (press && event.key == GLFW_KEY_ESCAPE);
    pressed |= press;
    released |= !event.character && event.action == GLFW_RELEASE;
    pass(panel, event);
  }
  forgetEvents(panel, count);
}

void demoPanelTakeKeys(demoPanel *panel) {
  if (!panel)
    return;
  int count = 0;
  while (count < panel->events && !panel->drawn && !panel->opens)
    pass(panel, panel->event[count++]);
  forgetEvents(panel, count);
  panel->opens -= panel->opens > 0;
  panel->drawn = false;
}

bool demoPanelBuilt(void) {
  return true;
}

demoPanel *demoPanelCreate(void *glfw, const char *font, float pixels) {
  IMGUI_CHECKVERSION();
  ImGui::CreateContext();
  ImGuiIO &io = ImGui::GetIO();
  io.IniFilename = nullptr; /* no file of settings in the user's folder */
  io.LogFilename = nullptr;
  /* large ones are made smaller */
  if (font)
    io.Fonts->AddFontFromFileTTF(font, (float)LARGE * pixels);
  ImGui::StyleColorsDark();
  GLFWkeyfun window_key = glfwSetKeyCallback(static_cast<GLFWwindow *>(glfw), nullptr);
  glfwSetKeyCallback(static_cast<GLFWwindow *>(glfw), window_key);
  ImGui_ImplGlfw_InitForOpenGL(static_cast<GLFWwindow *>(glfw), true);
  ImGui_ImplOpenGL3_Init("#version 330");
  keyboard = new demoPanel{};
  keyboard->held = -1;
  keyboard->pixels = pixels;
  keyboard->built_in = !font;
  keyboard->style = ImGui::GetStyle();
  keyboard->glfw = static_cast<GLFWwindow *>(glfw);
  keyboard->window_key = window_key;
  keyboard->on_key = glfwSetKeyCallback(keyboard->glfw, onKey);
  keyboard->on_character = glfwSetCharCallback(keyboard->glfw, onCharacter);
  return keyboard;
}

bool demoPanelApart(void) {
  return false;
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

/* By places, not by what ImGui thinks: it looks at the mouse once a frame, and would be a frame
 * late. */
bool demoPanelTakesMouse(const demoPanel *panel, double x, double y) {
  if (!panel || !panel->drawn)
    return false;
  bool taken = panel->popped;
  for (int k = 0; k < panel->rectangles; k++) {
    const float *r = panel->rectangle[k];
    taken |= x >= static_cast<double>(r[0]) && x < static_cast<double>(r[2]) &&
             y >= static_cast<double>(r[1]) && y < static_cast<double>(r[3]);
  }
  return taken;
}

/* The window that is being drawn takes the mouse. */
static void keepRectangle(demoPanel *panel) {
  if (panel->rectangles == RECTANGLES)
    return;
  float *r = panel->rectangle[panel->rectangles++];
  ImVec2 place = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
  r[0] = place.x;
  r[1] = place.y;
  r[2] = place.x + size.x;
  r[3] = place.y + size.y;
}

bool demoPanelCloseMenu(demoPanel *panel) {
  if (!panel || !panel->drawn || !panel->popped)
    return false;
  panel->closes = true;
  return true;
}

bool demoPanelTakesKeys(const demoPanel *panel) {
  return panel && panel->drawn && ImGui::GetIO().WantTextInput;
}

/* place <- the middle of what was drawn last. */
static void noteMiddle(int place[2]) {
  ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax(),
         scale = ImGui::GetIO().DisplayFramebufferScale;
  place[0] = static_cast<int>(0.5f * (low.x + high.x) * scale.x);
  place[1] = static_cast<int>(0.5f * (low.y + high.y) * scale.y);
}

/* What the item drawn last is for, beside the mouse, unless it is being changed. */
static void explain(const char *help) {
  if (!help || !ImGui::IsItemHovered() || ImGui::IsAnyItemActive())
    return;
  ImGui::BeginTooltip();
  ImGui::PushTextWrapPos(24 * ImGui::GetFontSize());
  ImGui::TextUnformatted(help);
  ImGui::PopTextWrapPos();
  ImGui::EndTooltip();
}

/* What stands beside a number: its name and unit. ImGui knows the item by the part behind "###",
 * which stays when the unit changes. */
static void nameNumber(const txOption *o, char label[128]) {
  if (o->unit)
    std::snprintf(label, 128, "%.40s (%.20s)###%.30s", o->name, o->unit, o->name);
  else
    std::snprintf(label, 128, "%.80s", o->name);
}

static bool drawChoice(const demoPanelItem &item) {
  const txOption *o = item.option;
  const char *const *choices = item.choices ? item.choices : o->choices;
  int *value = static_cast<int *>(o->target), old = *value,
      shown = *value < 0 ? static_cast<int>(item.own) : *value;
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

/* A number is dragged by parts of itself, or typed after a double click; it counts when it is
 * let go, and is told before that while it is dragged. */
static bool drawNumber(demoPanel *panel, int place, const demoPanelItem &item,
                       demoPanelView *view) {
  const txOption *o = item.option;
  bool whole = o->kind == TX_OPTION_INTEGER;
  double value = whole ? static_cast<double>(*static_cast<int64_t *>(o->target))
                       : *static_cast<double *>(o->target);
  bool bounded = o->least < o->most, given = value != 0 && !(bounded && value < o->least);
  double shown = panel->held == place ? panel->number : given ? value : item.own;
  float speed = static_cast<float>(shown > 0 ? 0.01 * shown : 0.01);
  bool slides = bounded && !whole && o->most < 1e30 && o->least > -1e30;
  const char *form = whole ? "%.0f" : "%.4g";
  if (shown == 0 && !slides)
    form = "none";
  if (whole && speed < 0.1f)
    speed = 0.1f;
  char label[128];
  nameNumber(o, label);
  bool edited = false;
  if (slides)
    edited = ImGui::SliderScalar(label, ImGuiDataType_Double, &shown, &o->least, &o->most, form);
  else
    edited = ImGui::DragScalar(label, ImGuiDataType_Double, &shown, speed, nullptr, nullptr, form);
  if (edited) {
    panel->held = place;
    panel->number = shown;
  }
  bool allowed = !bounded || (whole ? shown >= o->least && shown <= o->most
                                    : shown > o->least && shown < o->most);
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

/* Back to what the program or the scene has by itself; true when that was asked for. */
static bool drawReset(demoPanelItem &item) {
  const txOption *o = item.option;
  if (!item.differs)
    return false;
  /* at the right edge, wherever the name ends */
  const ImGuiStyle &style = ImGui::GetStyle();
  float width = ImGui::CalcTextSize("reset").x + 2 * style.FramePadding.x,
        right = ImGui::GetCursorPosX() + ImGui::GetContentRegionAvail().x;
  ImGui::SameLine(right - width);
  bool pressed = ImGui::SmallButton("reset");
  noteMiddle(item.reset);
  if (!pressed)
    return false;
  if (o->kind == TX_OPTION_CHOICE)
    *static_cast<int *>(o->target) = static_cast<int>(item.first);
  else if (o->kind == TX_OPTION_INTEGER)
    *static_cast<int64_t *>(o->target) = static_cast<int64_t>(item.first);
  else
    *static_cast<double *>(o->target) = item.first;
  return true;
}

static void drawView(demoPanelView *view) {
  const double least = 0.002, most = 0.25;
  ImGui::SliderScalar("brush", ImGuiDataType_Double, &view->brush, &least, &most, "%.3f",
                      ImGuiSliderFlags_Logarithmic);
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
  size_t length = line ? std::strcspn(line, "\n") : 0,
         before = static_cast<size_t>(view->place[1]) - 1;
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

/* Control and this key, pressed while the editor has the keyboard. */
static bool isControl(const demoPanel *panel, int key) {
  return panel->command == key && ImGui::IsWindowFocused(ImGuiFocusedFlags_ChildWindows);
}

static void drawEditor(demoPanel *panel, const char *title, demoPanelView *view) {
  ImGuiInputTextFlags flags = ImGuiInputTextFlags_EnterReturnsTrue;
  float line = ImGui::GetTextLineHeight();
  ImVec2 display = ImGui::GetIO().DisplaySize;
  char name[192];
  snprintf(name, sizeof name, "%s: its text###text", title);
  ImGui::SetNextWindowPos(ImVec2(0.35f * display.x, 0.2f * display.y), ImGuiCond_FirstUseEver);
  ImGui::SetNextWindowSize(ImVec2(0.62f * display.x, 0.75f * display.y), ImGuiCond_FirstUseEver);
  ImGui::SetNextWindowBgAlpha(0.9f);
  ImGui::Begin(name, &view->edits);
  keepRectangle(panel);
  float below = (*view->complaint ? 6.5f : 2.2f) * line;
  bool again = panel->ran && *view->complaint;
  if (!panel->writes || again || panel->reverted) {
    ImGui::SetKeyboardFocusHere();
    panel->waits = 2;
  }
  /* ImGui 1.90.1 gives the keyboard to no field that takes tabs */
  if (panel->waits == 0)
    flags |= ImGuiInputTextFlags_AllowTabInput;
  /* ImGui keeps the text of a field that has the keyboard: another text needs another field */
  panel->field += panel->reverted;
  ImGui::PushID(panel->field);
  bool runs =
      ImGui::InputTextMultiline("##text", view->text, view->room, ImVec2(-1, -below), flags);
  ImGui::PopID();
  *view->edited |= ImGui::IsItemEdited();
  if (ImGui::Button("run (ctrl + enter)") || runs)
    view->act = DEMO_RUN;
  ImGui::SameLine();
  if (ImGui::Button("start anew (ctrl + R)") || isControl(panel, GLFW_KEY_R))
    view->act = DEMO_RESTART;
  ImGui::SameLine();
  if (ImGui::Button("revert (ctrl + D)") || isControl(panel, GLFW_KEY_D))
    view->act = DEMO_REVERT;
  ImGui::SameLine();
  if (ImGui::Button("save (ctrl + S)") || isControl(panel, GLFW_KEY_S))
    view->act = DEMO_KEEP;
  if (*view->complaint)
    drawComplaint(view);
  panel->ran = view->act == DEMO_RUN;
  panel->reverted = view->act == DEMO_REVERT;
  if (panel->ran || panel->reverted)
    panel->waits = 1;
  ImGui::End();
}

/* --- the bar --- */

/* Draws an icon (demoButton) into a square. */
static void drawIcon(const char *icon, ImVec2 corner, float size, ImU32 ink) {
  enum { MOST = 24 };
  ImDrawList *list = ImGui::GetWindowDrawList();
  const float unit = size / 8, thick = unit > 1.5f ? unit : 1.5f;
  ImVec2 place[MOST];
  int count = 0;
  float radius = 0;
  for (const char *c = icon; *c; c++) {
    if ((*c == 'm' || *c == 'l') && c[1] && c[2]) {
      count = *c == 'm' ? 0 : count;
      if (count < MOST)
        place[count++] = ImVec2(corner.x + unit * static_cast<float>(c[1] - '0'),
                                corner.y + unit * static_cast<float>(c[2] - '0'));
      c += 2;
    } else if (*c == 'o' && c[1]) {
      radius = unit * static_cast<float>(*++c - '0');
    } else if (radius > 0 && count > 0) {
      if (*c == 'f')
        list->AddCircleFilled(place[count - 1], radius, ink);
      else
        list->AddCircle(place[count - 1], radius, ink, 0, thick);
      radius = 0;
    } else if (*c == 'f') {
      list->AddConvexPolyFilled(place, count, ink);
    } else if (*c == 's' || *c == 'z') {
      list->AddPolyline(place, count, ink, *c == 'z' ? ImDrawFlags_Closed : 0, thick);
    }
  }
}

static void nameKey(char key, char name[16]) {
  if (key == ' ')
    std::snprintf(name, 16, "space");
  else if (key == DEMO_TAB)
    std::snprintf(name, 16, "tab");
  else if (key == DEMO_FULL)
    std::snprintf(name, 16, "F11");
  else
    std::snprintf(name, 16, "%c", key);
}

/* --- small pictures --- */

/* They become part of the texture of the letters, between two frames. */
static void takeSketches(demoPanel *panel, const demoPanelView *view) {
  const demoButton *button = nullptr;
  for (int k = 0; k < view->buttons; k++)
    if (view->button[k].sketches)
      button = &view->button[k];
  if (!button || panel->sketches == button->sketches)
    return;
  panel->sketches = button->sketches;
  imguiAddPictures(&panel->sketch, button->sketches, button->items, DEMO_SKETCH_WIDTH,
                   DEMO_SKETCH_HEIGHT);
}

static void drawSketch(const demoPanel *panel, int k, ImVec2 corner, float height) {
  float width = height * (float)DEMO_SKETCH_WIDTH / (float)DEMO_SKETCH_HEIGHT;
  if (k < panel->sketch.Size)
    imguiDrawPicture(panel->sketch[k], corner, ImVec2(corner.x + width, corner.y + height));
}

/* The items, with their small pictures to the left. */
static void drawMenu(const demoPanel *panel, const demoButton &button, int place,
                     demoPanelView *view) {
  const bool pictured = button.sketches && button.sketches == panel->sketches;
  const float line = ImGui::GetTextLineHeight(), most = 2.4f * line;
  /* as large as lets all of them be seen, but no smaller than the letters */
  float height = 0.75f * ImGui::GetIO().DisplaySize.y / static_cast<float>(button.items) -
                 ImGui::GetStyle().ItemSpacing.y;
  if (height > most)
    height = most;
  if (!pictured || height < line)
    height = line;
  float width = height * (float)DEMO_SKETCH_WIDTH / (float)DEMO_SKETCH_HEIGHT + 0.5f * line;
  if (!pictured)
    width = 0;
  float widest = 0;
  for (int k = 0; k < button.items; k++) {
    float text = ImGui::CalcTextSize(button.menu[k]).x;
    if (text > widest)
      widest = text;
  }
  for (int k = 0; k < button.items; k++) {
    char id[24];
    std::snprintf(id, sizeof id, "##item%d", k);
    ImVec2 corner = ImGui::GetCursorScreenPos();
    if (ImGui::Selectable(id, k == button.current, 0, ImVec2(width + widest, height))) {
      view->pressed = place;
      view->picked = k;
    }
    if (k == 0)
      noteMiddle(view->first);
    noteMiddle(view->last);
    if (pictured)
      drawSketch(panel, k, corner, height);
    ImGui::GetWindowDrawList()->AddText(ImVec2(corner.x + width, corner.y + 0.5f * (height - line)),
                                        ImGui::GetColorU32(ImGuiCol_Text), button.menu[k]);
  }
}

static void drawButton(demoPanel *panel, const demoButton &button, int place, float size,
                       demoPanelView *view) {
  const ImU32 white = IM_COL32(230, 230, 230, 255), red = IM_COL32(255, 90, 80, 255);
  char key[16], id[24];
  nameKey(button.key, key);
  std::snprintf(id, sizeof id, "##%d", place);
  ImVec2 corner = ImGui::GetCursorScreenPos();
  ImGui::PushStyleColor(ImGuiCol_Button,
                        button.on ? ImVec4(0.26f, 0.45f, 0.75f, 1) : ImVec4(0, 0, 0, 0));
  bool clicked = ImGui::Button(id, ImVec2(size, size));
  ImGui::PopStyleColor();
  bool hovered = ImGui::IsItemHovered();
  if (*button.icon == '?')
    ImGui::GetWindowDrawList()->AddText(ImGui::GetFont(), 0.7f * size,
                                        ImVec2(corner.x + 0.33f * size, corner.y + 0.15f * size),
                                        white, "?");
  else
    drawIcon(button.icon, ImVec2(corner.x + 0.2f * size, corner.y + 0.2f * size), 0.6f * size,
             button.key == 'V' ? red : white);
  if (hovered)
    ImGui::SetTooltip("%s (%s)", button.help, key);
  if (clicked && button.menu)
    ImGui::OpenPopup(id);
  else if (clicked)
    view->pressed = place;
  if (button.menu && ImGui::IsPopupOpen(id))
    ImGui::SetNextWindowSizeConstraints(ImVec2(0, 0),
                                        ImVec2(FLT_MAX, 0.8f * ImGui::GetIO().DisplaySize.y));
  if (button.menu && ImGui::BeginPopup(id)) {
    view->opened = place;
    drawMenu(panel, button, place, view);
    if (panel->closes)
      ImGui::CloseCurrentPopup();
    ImGui::EndPopup();
  }
}

/* An area of the framebuffer becomes the place of ImGui's next window, which has other units
 * where a screen's pixels are fine. */
static void placeWindow(const demoArea &area) {
  ImVec2 scale = ImGui::GetIO().DisplayFramebufferScale;
  ImGui::SetNextWindowPos(
      ImVec2(static_cast<float>(area.left) / scale.x, static_cast<float>(area.top) / scale.y));
  ImGui::SetNextWindowSize(ImVec2(static_cast<float>(area.right - area.left) / scale.x,
                                  static_cast<float>(area.bottom - area.top) / scale.y));
}

static void drawBar(demoPanel *panel, demoPanelView *view) {
  const ImGuiWindowFlags flags = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                                 ImGuiWindowFlags_NoBringToFrontOnFocus |
                                 ImGuiWindowFlags_NoNavFocus | ImGuiWindowFlags_NoSavedSettings;
  const demoArea &area = view->bar;
  int rows = (view->buttons + view->row - 1) / view->row;
  if (area.bottom <= area.top || area.right <= area.left || rows < 1)
    return;
  placeWindow(area);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, ImVec2(1, 1));
  ImGui::Begin("##bar", nullptr, flags);
  keepRectangle(panel);
  ImGui::PopStyleVar(4); /* popups and tooltips have their own */
  float size = static_cast<float>(area.bottom - area.top) / static_cast<float>(rows) /
               ImGui::GetIO().DisplayFramebufferScale.y;
  for (int k = 0; k < view->buttons; k++) {
    ImGui::SetCursorPos(
        ImVec2(static_cast<float>(k % view->row) * size, static_cast<float>(k / view->row) * size));
    drawButton(panel, view->button[k], k, size, view);
  }
  ImGui::End();
}

/* The middle of a number or a choice, left of its name. */
static void notePlace(int place[2]) {
  ImVec2 low = ImGui::GetItemRectMin(), scale = ImGui::GetIO().DisplayFramebufferScale;
  float width = ImGui::CalcItemWidth(), height = ImGui::GetFrameHeight();
  place[0] = static_cast<int>((low.x + 0.5f * width) * scale.x);
  place[1] = static_cast<int>((low.y + 0.5f * height) * scale.y);
}

/* The message in red, and a mark below the character it is about. */
static void drawWrong(const demoPanelView *view, const demoPanelLine *line) {
  const ImVec4 red(1, 0.45f, 0.4f, 1);
  ImGui::PushStyleColor(ImGuiCol_Text, red);
  if (line && line->column >= 0) {
    float before = ImGui::CalcTextSize(line->text, line->text + line->column).x,
          left = ImGui::GetItemRectMin().x - ImGui::GetWindowPos().x;
    ImGui::SetCursorPosX(left + ImGui::GetStyle().FramePadding.x + before);
    ImGui::TextUnformatted("^");
  }
  ImGui::TextWrapped("%s", view->wrong);
  ImGui::PopStyleColor();
}

static bool drawChoices(demoPanelLine &line, demoPanelView *view) {
  bool changed = false;
  if (!ImGui::BeginCombo("##line", line.text))
    return false;
  for (int k = 0; line.choices[k]; k++) {
    if (ImGui::Selectable(line.choices[k], std::strcmp(line.choices[k], line.text) == 0)) {
      std::snprintf(line.text, line.room, "%s", line.choices[k]);
      changed = true;
    }
    if (k == 0)
      noteMiddle(view->first);
    noteMiddle(view->last);
  }
  ImGui::EndCombo();
  return changed;
}

/* The lines of text and the choices, their labels to the left. */
static void drawLines(demoPanelView *view) {
  bool told = !*view->wrong;
  const float column = 4.2f * ImGui::GetFontSize();
  for (int k = 0; k < view->lines; k++) {
    demoPanelLine &line = view->line[k];
    if (!line.shown)
      continue;
    ImGui::PushID(k);
    ImGui::AlignTextToFramePadding();
    ImGui::TextDisabled("%s", line.label);
    ImGui::SameLine(ImGui::CalcTextSize(line.label).x < column ? column : 0);
    ImGui::SetNextItemWidth(-1);
    if (line.choices) {
      bool changed = drawChoices(line, view);
      notePlace(line.place);
      if (changed) {
        view->typed = k;
        view->entered = true;
      }
    } else {
      bool entered =
          ImGui::InputText("##line", line.text, line.room, ImGuiInputTextFlags_EnterReturnsTrue);
      notePlace(line.place);
      if (ImGui::IsItemEdited())
        view->typed = k;
      view->entered |= entered || ImGui::IsItemDeactivatedAfterEdit();
    }
    explain(line.help);
    if (line.wrong && !told) {
      drawWrong(view, &line);
      told = true;
    }
    ImGui::PopID();
  }
  if (!told)
    drawWrong(view, nullptr);
  if (view->lines > 0)
    ImGui::Separator();
}

static int drawNumbers(demoPanel *panel, const char *title, demoPanelItem *items, int count,
                       demoPanelView *view) {
  const ImGuiWindowFlags flags =
      ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoCollapse;
  int changed = -1;
  float line = ImGui::GetTextLineHeight();
  char name[192];
  snprintf(name, sizeof name, "%s###numbers", title);
  bool docked = view->side.right > view->side.left && view->side.bottom > view->side.top;
  if (docked) {
    placeWindow(view->side);
  } else { /* there is no room beside the picture */
    ImGui::SetNextWindowPos(ImVec2(line, 4 * line), ImGuiCond_FirstUseEver);
    ImGui::SetNextWindowSizeConstraints(ImVec2(0, 0),
                                        ImVec2(FLT_MAX, ImGui::GetIO().DisplaySize.y - 5 * line));
  }
  ImGui::SetNextWindowBgAlpha(0.85f);
  ImGui::Begin(name, nullptr,
               docked ? flags : static_cast<ImGuiWindowFlags>(ImGuiWindowFlags_AlwaysAutoResize));
  keepRectangle(panel);
  ImGui::PushItemWidth(docked ? 0.4f * ImGui::GetWindowWidth() : 11 * line);
  drawLines(view);
  for (int k = 0; k < count; k++) {
    ImGui::PushID(DEMO_PANEL_LINES + k);
    if (items[k].option->kind == TX_OPTION_CHOICE ? drawChoice(items[k])
                                                  : drawNumber(panel, k, items[k], view))
      changed = k;
    notePlace(items[k].place);
    explain(items[k].option->help);
    if (drawReset(items[k]))
      changed = k;
    ImGui::PopID();
  }
  drawView(view);
  ImGui::PopItemWidth();
  ImGui::End();
  return changed;
}

/* Letters and all that stands around them follow the window's texts, as far as these are larger. */
static void enlarge(demoPanel *panel, int text_line) {
  const float part = 5.f / 6;
  float larger = part * static_cast<float>(text_line) / panel->pixels;
  if (!(larger > 1))
    larger = 1;
  if (std::fabs(larger - panel->larger) < 0.05f)
    return;
  panel->larger = larger;
  ImGui::GetStyle() = panel->style;
  imguiScaleLetters(panel->built_in ? larger : larger / (float)LARGE);
  ImGui::GetStyle().ScaleAllSizes(larger * panel->pixels / 15);
}

int demoPanelDraw(demoPanel *panel, const char *title, demoPanelItem *items, int count,
                  demoPanelView *view) {
  int changed = -1;
  if (!panel)
    return changed;
  panel->drawn = true;
  panel->escaped = false;
  enlarge(panel, view->text_line);
  /* the editor comes or goes, and the keyboard with it */
  if (view->edits != panel->writes)
    panel->waits = 2;
  bool typing = false;
  do { /* frames that nobody sees, while what is typed waits */
    imguiTakeAll(panel->events > 0); /* those that passSome chooses */
    /* a field takes the keyboard a frame after it has been told to */
    if (panel->waits > 0)
      panel->waits--;
    else
      passSome(panel);
    takeSketches(panel, view);
    ImGui_ImplOpenGL3_NewFrame();
    ImGui_ImplGlfw_NewFrame();
    ImGui::NewFrame();
    panel->rectangles = 0;
    if (view->buttons > 0)
      drawBar(panel, view);
    if (view->numbers)
      changed = drawNumbers(panel, title, items, count, view);
    if (view->edits)
      drawEditor(panel, title, view);
    panel->writes = view->edits;
    panel->popped =
        ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel);
    panel->closes = false;
    panel->command = 0;
    ImGui::Render();
    typing = panel->waits > 0 || (ImGui::GetIO().WantTextInput && !panel->escaped);
  } while (panel->events && typing && changed < 0 && view->act == DEMO_TYPE && view->pressed < 0);
  ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
  return changed;
}
