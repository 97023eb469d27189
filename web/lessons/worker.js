// The program of all lessons in a worker, one for each run.
//
//   in:  {program: a WebAssembly.Module, run: [folder, part], choose: what is traced, own: {file: text that takes the place of a kernel or shader}}
//   out: {said: a line} while it runs, and at the end {status, complaint, trace: the tracer's page, pictures: {name: bytes},
//        files: [{name, kind, text}]}: the texts of kernels of the program's own, of shaders that were traced and of what these include
"use strict";

let instantiate = null, asked = null, complaint = "";
const ready = new Promise(begin => {
  self.Module = {
    noInitialRun: true,
    thisProgram: "lesson",
    preRun: [() => { // the program sees no variables that come later
      Object.assign(ENV, {TEXLA_TRACE: "/trace", TEXLA_TRACE_CHOOSE: asked.choose});
      place(asked.own);
    }],
    instantiateWasm: (imports, done) => {
      instantiate = program => WebAssembly.instantiate(program, imports).then(made => done(made, program));
      return {};
    },
    print: text => postMessage({said: text}),
    printErr: text => { complaint += text + "\n"; },
    onRuntimeInitialized: begin,
  };
});

const folder = path => FS.analyzePath(path).exists ? FS.readdir(path).filter(name => name[0] !== ".") : [];
const textOf = path => FS.readFile(path, {encoding: "utf8"});

// A trace names shaders by their last part: where each stands in the library.
function library() {
  const places = new Map();
  for (const room of folder("/library"))
    for (const name of folder("/library/" + room)) {
      places.set(`${room}/${name}`, `${room}/${name}`);
      if (room !== "include") places.set(name, `${room}/${name}`);
    }
  return places;
}

// `own`: texts by names as `files` gives them; those of kernels have no folder.
function place(own) {
  for (const path of ["/own", "/shaders"]) FS.mkdir(path);
  for (const [name, text] of Object.entries(own)) {
    const [room, file] = name.split("/");
    if (file) FS.mkdirTree("/shaders/" + room);
    FS.writeFile(file ? "/shaders/" + name : "/own/" + name, text);
    if (file) ENV.TEXLA_SHADER_DIR = "/shaders";
  }
}

function filesOf(trace) {
  const kernels = folder("/kernels"), places = library(), files = new Map();
  for (const name of kernels) files.set(name, {name, kind: "kernel", text: textOf("/kernels/" + name)});
  const add = (name, kind) => {
    const path = places.get(name);
    if (path && !files.has(path)) files.set(path, {name: path, kind, text: textOf("/library/" + path)});
  };
  const stages = (trace ? trace.shaders : []).flatMap(s => [s.fragment, s.vertex]).filter(Boolean);
  for (const {name} of stages) for (const end of [".frag", ".vert"]) if (name !== "rect") add(name + end, "shader");
  for (const stage of stages) for (const name of stage.files || []) add(name, "include");
  return [...files.values()];
}

onmessage = async ({data}) => {
  asked = data;
  instantiate(data.program);
  await ready;
  let status = 0;
  try {
    status = callMain(data.run);
    _fflush(0);
  } catch (failure) {
    status = 3;
    complaint += String(failure) + "\n";
  }
  const traced = folder("/trace").includes("trace.json"), pictures = {};
  for (const name of folder("/frames")) pictures[name] = FS.readFile("/frames/" + name);
  postMessage({status, complaint, pictures, trace: traced ? textOf("/trace/index.html") : null,
               files: filesOf(traced ? JSON.parse(textOf("/trace/trace.json")) : null)});
};
