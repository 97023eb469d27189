// The program `texla` in a worker: what the page asks of it, and what it tells meanwhile.
//
//   in:  {program: a WebAssembly.Module, files: {name: bytes}, runs: [[argument, ...], ...], give: [name, ...]}
//   out: {begun: arguments}, {iteration, residual} ten times a second, {matrix} (see pictureOf) when A.mtx is there, and at the end
//        {status, output, complaint, files: {name: bytes}}; the runs end at the first one that does not return 0 or 1.
"use strict";

const said = {output: "", complaint: ""}, decoder = new TextDecoder();
let line = "";

// Standard error: lines for readers, and the one that is rewritten, "\riteration N residual R".
function hear(code) {
  if (code === 13 || code === 10) {
    const progress = /^iteration (\d+) +residual (\S+)/.exec(line);
    if (progress)
      postMessage({iteration: Number(progress[1]), residual: Number(progress[2])});
    else if (line.trim())
      said.complaint += line + "\n";
    line = "";
  } else
    line += String.fromCharCode(code);
}

// Where the entries of a matrix are: the counts of SIDE x SIDE fields (fewer for small ones), row by row; and its grid, where it says so.
function pictureOf(text) {
  const SIDE = 240, head = text.slice(0, text.indexOf("\n")).toLowerCase(), symmetric = !/general/.test(head);
  const number = /[^\s]+/g;
  let at = 0, size = null, side = [0, 0], count = null, entries = 0;
  while (at < text.length) {
    let end = text.indexOf("\n", at);
    if (end < 0) end = text.length;
    if (text[at] !== "%" && end > at) {
      const words = text.slice(at, Math.min(end, at + 40)).match(number) || [];
      if (!size && words.length >= 2) {
        size = words.map(Number);
        if (!/coordinate/.test(head)) return {rows: size[0], cols: size[1], entries: size[0] * size[1]};
        side = [Math.min(SIDE, size[0]), Math.min(SIDE, size[1])];
        count = new Uint32Array(side[0] * side[1]);
      } else if (size && words.length >= 2) {
        const i = Math.floor((words[0] - 1) / size[0] * side[0]), j = Math.floor((words[1] - 1) / size[1] * side[1]);
        count[i * side[1] + j]++;
        entries++;
        if (symmetric && words[0] !== words[1]) {
          count[j * side[1] + i]++;
          entries++;
        }
      }
    }
    at = end + 1;
  }
  return size && {rows: size[0], cols: size[1], entries, high: side[0], wide: side[1], count};
}

let instantiate = null; // by what the page sends
const ready = new Promise(begin => {
  self.Module = {
    instantiateWasm: (imports, done) => {
      instantiate = program => WebAssembly.instantiate(program, imports).then(made => done(made, program));
      return {};
    },
    noInitialRun: true,
    thisProgram: "texla",
    print: text => { said.output += text + "\n"; },
    stderr: hear,
    onRuntimeInitialized: begin,
  };
});

onmessage = async ({data}) => {
  instantiate(data.program);
  await ready;
  let status = 0;
  try {
    for (const [name, bytes] of Object.entries(data.files)) FS.writeFile(name, bytes);
    for (const run of data.runs) {
      postMessage({begun: run});
      said.output = "";
      status = callMain(run);
      _fflush(0);
      if (status !== 0 && status !== 1) break;
      if (run !== data.runs[data.runs.length - 1] || data.runs.length === 1)
        postMessage({matrix: FS.analyzePath("A.mtx").exists ? pictureOf(FS.readFile("A.mtx", {encoding: "utf8"})) : null});
    }
  } catch (failure) {
    status = 3;
    said.complaint += String(failure) + "\n";
  }
  hear(10);
  const files = {};
  for (const name of data.give) if (FS.analyzePath(name).exists) files[name] = FS.readFile(name);
  postMessage({status, ...said, files});
};
