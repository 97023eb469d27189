// Does a tile of A hold anything but zeros?
uniform sampler2D a;
uniform int tile; // texels of a tile's side
out float filled;

void main() {
  ivec2 first = tile * ivec2(gl_FragCoord.xy), end = min(first + tile, textureSize(a, 0));
  bool any = false;
  for (int y = first.y; y < end.y; y++)
    for (int x = first.x; x < end.x; x++)
      any = any || texelFetch(a, ivec2(x, y), 0) != vec4(0.);
  filled = float(any);
}
