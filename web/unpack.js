// A program that assemble.py has packed (a file of WebAssembly, compressed, as text), compiled.
function unpack(text) {
  const packed = Uint8Array.from(atob(text), c => c.charCodeAt(0));
  const bytes = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
  return WebAssembly.compileStreaming(new Response(bytes, {headers: {'Content-Type': 'application/wasm'}}));
}
