/* Dear ImGui from 1.86 to 1.92: the calls that differ between versions, under one name. */
#ifndef DEMO_IMGUI_VERSIONS_H
#define DEMO_IMGUI_VERSIONS_H

#include <cstdint>
#include <cstring>

#include <GLFW/glfw3.h>
#include <imgui.h>
#include <imgui_impl_glfw.h>
#include <imgui_impl_opengl3.h>

/* --- keys --- */

/* Passes a key that was pressed or released a while ago. From 1.87 on, the back end asks GLFW for
 * the modifiers of now, so only these are set by what GLFW said then. */
#if IMGUI_VERSION_NUM < 18700

inline void imguiKey(GLFWkeyfun back_end, GLFWkeyfun window, GLFWwindow *glfw, int key,
                     int scancode, int action, int modifiers) {
  (void)window;
  back_end(glfw, key, scancode, action, modifiers);
}

#else

/* The keys that change a text. */
inline ImGuiKey imguiKeyOf(int key) {
  static const struct {
    int glfw;
    ImGuiKey imgui;
  } keys[] = {{GLFW_KEY_TAB, ImGuiKey_Tab},
              {GLFW_KEY_LEFT, ImGuiKey_LeftArrow},
              {GLFW_KEY_RIGHT, ImGuiKey_RightArrow},
              {GLFW_KEY_UP, ImGuiKey_UpArrow},
              {GLFW_KEY_DOWN, ImGuiKey_DownArrow},
              {GLFW_KEY_PAGE_UP, ImGuiKey_PageUp},
              {GLFW_KEY_PAGE_DOWN, ImGuiKey_PageDown},
              {GLFW_KEY_HOME, ImGuiKey_Home},
              {GLFW_KEY_END, ImGuiKey_End},
              {GLFW_KEY_INSERT, ImGuiKey_Insert},
              {GLFW_KEY_DELETE, ImGuiKey_Delete},
              {GLFW_KEY_BACKSPACE, ImGuiKey_Backspace},
              {GLFW_KEY_SPACE, ImGuiKey_Space},
              {GLFW_KEY_ENTER, ImGuiKey_Enter},
              {GLFW_KEY_KP_ENTER, ImGuiKey_KeypadEnter}};
  for (const auto &pair : keys)
    if (pair.glfw == key)
      return pair.imgui;
  if (key >= GLFW_KEY_A && key <= GLFW_KEY_Z)
    return static_cast<ImGuiKey>(ImGuiKey_A + key - GLFW_KEY_A);
  return ImGuiKey_None;
}

/* GLFW's bits on X11 are those before the key, which may be a modifier itself. */
inline int imguiModifiers(int key, int action, int modifiers) {
  static const int bits[] = {GLFW_MOD_SHIFT, GLFW_MOD_CONTROL, GLFW_MOD_ALT, GLFW_MOD_SUPER};
  int own = 0;
  if (key >= GLFW_KEY_LEFT_SHIFT && key <= GLFW_KEY_RIGHT_SUPER)
    own = bits[(key - GLFW_KEY_LEFT_SHIFT) % 4];
  return action == GLFW_RELEASE ? modifiers & ~own : modifiers | own;
}

inline void imguiKey(GLFWkeyfun back_end, GLFWkeyfun window, GLFWwindow *glfw, int key,
                     int scancode, int action, int modifiers) {
  (void)back_end;
  ImGuiIO &io = ImGui::GetIO();
  if (window)
    window(glfw, key, scancode, action, modifiers);
  int held = imguiModifiers(key, action, modifiers);
  io.AddKeyEvent(ImGuiMod_Ctrl, (held & GLFW_MOD_CONTROL) != 0);
  io.AddKeyEvent(ImGuiMod_Shift, (held & GLFW_MOD_SHIFT) != 0);
  io.AddKeyEvent(ImGuiMod_Alt, (held & GLFW_MOD_ALT) != 0);
  io.AddKeyEvent(ImGuiMod_Super, (held & GLFW_MOD_SUPER) != 0);
  if (imguiKeyOf(key) != ImGuiKey_None && action != GLFW_REPEAT)
    io.AddKeyEvent(imguiKeyOf(key), action == GLFW_PRESS);
}

#endif

/* From 1.87 on, a key and its character are events of two frames unless a frame takes all. */
inline void imguiTakeAll(bool all) {
#if IMGUI_VERSION_NUM < 18700
  (void)all;
#else
  ImGui::GetIO().ConfigInputTrickleEventQueue = !all;
#endif
}

/* --- letters --- */

inline void imguiScaleLetters(float scale) {
#if IMGUI_VERSION_NUM < 19200
  ImGui::GetIO().FontGlobalScale = scale;
#else
  ImGui::GetStyle().FontScaleMain = scale;
#endif
}

/* --- small pictures in the texture of the letters --- */

/* One picture, RGB, into `to` of `pitch` bytes a row, RGBA. */
inline void imguiCopyPicture(unsigned char *to, int pitch, const uint8_t *from, int width,
                             int height) {
  for (int y = 0; y < height; y++, to += pitch - 4 * width)
    for (int x = 0; x < width; x++, from += 3, to += 4) {
      std::memcpy(to, from, 3);
      to[3] = 255;
    }
}

/* Adds `count` pictures, one below the other in `from`; places <- their numbers. Between frames. */
inline void imguiAddPictures(ImVector<int> *places, const uint8_t *from, int count, int width,
                             int height) {
  ImFontAtlas *atlas = ImGui::GetIO().Fonts;
  const int bytes = 3 * width * height;
  places->clear();
#if IMGUI_VERSION_NUM < 19200
  for (int k = 0; k < count; k++)
    places->push_back(atlas->AddCustomRectRegular(width, height));
  unsigned char *pixels = nullptr;
  int pitch = 0;
  atlas->Build();
  atlas->GetTexDataAsRGBA32(&pixels, &pitch, nullptr);
  for (int k = 0; k < count; k++) {
    const ImFontAtlasCustomRect *r = atlas->GetCustomRectByIndex((*places)[k]);
    imguiCopyPicture(pixels + 4 * (r->Y * pitch + r->X), 4 * pitch, from + k * bytes, width,
                     height);
  }
  ImGui_ImplOpenGL3_DestroyFontsTexture();
  ImGui_ImplOpenGL3_CreateFontsTexture();
#else
  ImFontAtlasRect r;
  for (int k = 0; k < count; k++) {
    places->push_back(atlas->AddCustomRect(width, height, &r));
    if (places->back() != ImFontAtlasRectId_Invalid)
      imguiCopyPicture(static_cast<unsigned char *>(atlas->TexData->GetPixelsAt(r.x, r.y)),
                       atlas->TexData->GetPitch(), from + k * bytes, width, height);
  }
#endif
}

inline void imguiDrawPicture(int place, ImVec2 low, ImVec2 high) {
  ImFontAtlas *atlas = ImGui::GetIO().Fonts;
  ImDrawList *list = ImGui::GetWindowDrawList();
#if IMGUI_VERSION_NUM < 19200
  ImVec2 from, to;
  atlas->CalcCustomRectUV(atlas->GetCustomRectByIndex(place), &from, &to);
  list->AddImage(atlas->TexID, low, high, from, to);
#else
  ImFontAtlasRect r;
  if (atlas->GetCustomRect(place, &r))
    list->AddImage(atlas->TexRef, low, high, r.uv0, r.uv1);
#endif
}

#endif
