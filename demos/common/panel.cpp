#include "common/panel.h"

#include <cstdint>

#include <GLFW/glfw3.h>
#include <imgui.h>
#include <imgui_impl_glfw.h>
#include <imgui_impl_opengl3.h>

/* ImGui keeps its state in a context of its own; what is here is a number that is being dragged. */
struct demoPanel {
  int held; /* the item; -1: none */
  double number;
};

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
  ImGui_ImplGlfw_InitForOpenGL(static_cast<GLFWwindow *>(glfw), true);
  ImGui_ImplOpenGL3_Init("#version 330");
  return new demoPanel{-1, 0};
}

void demoPanelDestroy(demoPanel *panel) {
  if (!panel)
    return;
  ImGui_ImplOpenGL3_Shutdown();
  ImGui_ImplGlfw_Shutdown();
  ImGui::DestroyContext();
  delete panel;
}

bool demoPanelTakesMouse(const demoPanel *panel) {
  return panel && ImGui::GetIO().WantCaptureMouse;
}

bool demoPanelTakesKeys(const demoPanel *panel) {
  return panel && ImGui::GetIO().WantTextInput;
}

static bool drawChoice(const txOption *o) {
  int *value = static_cast<int *>(o->target), old = *value;
  const char *own = "the scene's own";
  if (ImGui::BeginCombo(o->name, *value < 0 ? own : o->choices[*value])) {
    if (*value < 0)
      ImGui::Selectable(own, true);
    for (int k = 0; o->choices[k]; k++)
      if (ImGui::Selectable(o->choices[k], k == *value))
        *value = k;
    ImGui::EndCombo();
  }
  return *value != old;
}

/* A number is dragged by parts of itself, or typed after a double click; it counts when it is let go. */
static bool drawNumber(demoPanel *panel, int place, const demoPanelItem &item) {
  const txOption *o = item.option;
  bool whole = o->kind == TX_OPTION_INTEGER;
  double value = whole ? static_cast<double>(*static_cast<int64_t *>(o->target)) : *static_cast<double *>(o->target);
  bool bounded = o->least < o->most, given = value != 0 && !(bounded && value < o->least);
  double shown = panel->held == place ? panel->number : given ? value : item.own;
  float speed = static_cast<float>(shown > 0 ? 0.01 * shown : 0.01);
  bool edited = ImGui::DragScalar(o->name, ImGuiDataType_Double, &shown, whole && speed < 0.1f ? 0.1f : speed, nullptr,
                                  nullptr, whole ? "%.0f" : "%.4g");
  if (edited) {
    panel->held = place;
    panel->number = shown;
  }
  if (!ImGui::IsItemDeactivatedAfterEdit())
    return false;
  panel->held = -1;
  if (bounded && (!(shown >= o->least) || !(shown <= o->most) || (!whole && (shown <= o->least || shown >= o->most))))
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

int demoPanelDraw(demoPanel *panel, const char *title, const demoPanelItem *items, int count, demoPanelView *view) {
  int changed = -1;
  if (!panel)
    return changed;
  ImGui_ImplOpenGL3_NewFrame();
  ImGui_ImplGlfw_NewFrame();
  ImGui::NewFrame();
  float line = ImGui::GetTextLineHeight();
  ImGui::SetNextWindowPos(ImVec2(line, 4 * line), ImGuiCond_FirstUseEver);
  ImGui::SetNextWindowBgAlpha(0.85f);
  ImGui::Begin(title, nullptr, ImGuiWindowFlags_AlwaysAutoResize);
  ImGui::PushItemWidth(11 * line);
  for (int k = 0; k < count; k++) {
    if (items[k].option->kind == TX_OPTION_CHOICE ? drawChoice(items[k].option) : drawNumber(panel, k, items[k]))
      changed = k;
    if (ImGui::IsItemHovered() && items[k].option->help)
      ImGui::SetTooltip("%s", items[k].option->help);
  }
  drawView(view);
  ImGui::PopItemWidth();
  ImGui::End();
  ImGui::Render();
  ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
  return changed;
}
