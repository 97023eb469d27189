// What the program asks of its page (demos/common/page.h): simulation.js does it.
mergeInto(LibraryManager.library, {
  posix_spawnp: function () { return 52; }, // ENOSYS: a page starts no programs
  demoPagePanel: function (json) { Module.page.panel(JSON.parse(UTF8ToString(json))); },
  demoPageTell: function (above, below) { Module.page.tell(UTF8ToString(above), UTF8ToString(below)); },
  demoPageGlyph: function (character, size, side, x, y, cover) {
    var c = document.createElement('canvas').getContext('2d', {willReadFrequently: true}), text = String.fromCharCode(character);
    c.canvas.width = c.canvas.height = side;
    c.font = size + 'px system-ui, "DejaVu Sans", sans-serif';
    c.fillText(text, x, y);
    var pixels = c.getImageData(0, 0, side, side).data;
    for (var k = 0; k < side * side; k++) HEAPU8[cover + k] = pixels[4 * k + 3];
    return c.measureText(text).width;
  },
  demoPageShown: function (first) { Module.page.shown(first); },
  demoPageFull: function () { Module.page.full(); },
  demoPageCopy: function (text) { Module.page.copy(UTF8ToString(text)); },
  demoPageGive: function (path) {
    var name = UTF8ToString(path);
    Module.page.give(name.split('/').pop(), FS.readFile(name));
  },
});
