// The page around a simulation. The program tells what there is to see and to set (Module.page.panel, from
// demos/common/panel_web.c), the elements below show it, and what the user does goes to the program's functions demoPage....
// page.py puts in the scenes, [{name, picture}] in the order of the program's menu, and the program.
'use strict';
var Module = (function () {
  const SCENES = @SCENES@;
  const WASM = '@WASM@'; // the program, compressed
  const $ = id => document.getElementById(id);
  const canvas = $('picture'), calm = matchMedia('(prefers-reduced-motion: reduce)'), fingers = matchMedia('(pointer: coarse)');
  const TAB = 9, FULL = 11;
  const said = []; // the last lines on the program's standard error
  let state = null, address = null, scene = -1, typed = false, loaded = false, ended = false, began = false;

  const make = (tag, set, ...inside) => {
    const element = Object.assign(document.createElement(tag), set);
    element.append(...inside);
    return element;
  };
  const call = (name, types, ...values) => Module.ccall(name, null, types, values);
  const keyOf = character => character.charCodeAt(0);
  const press = key => { if (began && !ended) Module._demoPageKey(typeof key === 'string' ? keyOf(key) : key); };

  // ---- messages ------------------------------------------------------------------------------------------------------------

  const explain = (title, text, ...buttons) => {
    $('wait').hidden = true;
    $('message').hidden = false;
    $('message').replaceChildren(make('h2', {textContent: title}), make('p', {textContent: text}), ...buttons);
  };
  const again = (text, there) => make('button', {
    textContent: text, onclick: () => { if (there !== undefined) history.replaceState(null, '', there); location.reload(); }
  });
  // Why a program has ended, from its last words.
  const failWith = words => {
    if (!/memory|allocat/i.test(words)) return fail('The program has ended', words);
    fail('There is not enough memory', 'This device has not enough memory for the scene at this size: a coarser grid or another scene needs less. Other pages that are open take memory, too.\n\n' + words,
      again('start it at 128 x 96', location.hash.replace(/[#&]--size=[^&]*/, '').replace(/^&?#?/, '#') + '&--size=128x96'));
  };
  const fail = (title, text, ...buttons) => {
    if (ended) return;
    ended = true;
    if (Module.pauseMainLoop) Module.pauseMainLoop();
    explain(title, text, ...buttons, again('start again'), again('the first scene, nothing changed', '#'));
  };

  // What a device must have; the reason why it cannot be used, or nothing. The program draws with the same context.
  const missing = () => {
    const device = canvas.getContext('webgl2', {alpha: false, depth: false, antialias: false, powerPreference: 'high-performance'});
    if (!device) return 'This browser gives no WebGL 2. Other browsers may, or this one after an update; some switch it off with "hardware acceleration".';
    if (!device.getExtension('EXT_color_buffer_float')) return 'This device draws no numbers of 32 bits (EXT_color_buffer_float is missing), which a simulation needs. A laptop, or a newer phone, does.';
    return null;
  };

  addEventListener('error', event => { if (event.error instanceof WebAssembly.RuntimeError) failWith(String(event.error)); });

  const explainLoss = () => fail('The graphics device was taken away', 'The browser has lost the simulation\'s textures: the device ran out of memory, or was busy with something else. The scene and its numbers are in the address: it begins anew with them.');
  const isLost = () => canvas.getContext('webgl2')?.isContextLost();
  canvas.addEventListener('webglcontextlost', event => {
    event.preventDefault();
    explainLoss();
  });
  canvas.addEventListener('webglcontextrestored', () => location.reload());

  // ---- the address: #scene=NAME&PARAMETER=VALUE&--OPTION=VALUE&text=... ----------------------------------------------------

  const asked = new URLSearchParams(location.hash.slice(1));
  const argumentsOf = query => {
    const list = [], set = [];
    for (const [name, value] of query) {
      if (name.startsWith('--')) list.push(value === '' ? name : name + '=' + value);
      else if (name === 'scene' && !query.has('text')) list.push('--scene=' + value);
      else if (name === 'text') list.push('--scene=/typed.scene');
      else if (name !== 'scene') set.push(name + '=' + value);
    }
    if (set.length) list.push('--set=' + set.join(','));
    return list;
  };

  const roundly = value => String(Number(value.toPrecision(7)));
  const writeAddress = () => {
    const parts = [];
    if (scene >= 0 && SCENES[scene]) parts.push('scene=' + SCENES[scene].name);
    const text = state.shared || (typed ? state.text : ''); // with what has been drawn
    if (text) parts.push('text=' + encodeURIComponent(text));
    for (const item of state.items) {
      if (!item.differs || (isParameter(item) && text)) continue;
      const value = item.choices ? item.choices[item.value] : roundly(item.value);
      if (value !== undefined) parts.push((isParameter(item) ? '' : '--') + encodeURIComponent(item.name) + '=' + encodeURIComponent(value));
    }
    const next = '#' + parts.join('&');
    if (next === address) return;
    address = next;
    history.replaceState(null, '', next);
  };
  // somebody has put another one in
  addEventListener('hashchange', () => { if (location.hash !== address) location.reload(); });

  // ---- icons: strokes on a grid of 8 x 8, as demos/common/panel.h tells ---------------------------------------------------

  const drawing = icon => {
    if (icon === '?') return '<text x="4" y="7" font-size="8" text-anchor="middle" fill="currentColor" stroke="none">?</text>';
    let out = '', path = '', at = [0, 0], radius = 0;
    for (let k = 0; k < icon.length; k++) {
      const c = icon[k];
      if (c === 'm' || c === 'l') {
        at = [icon[k + 1], icon[k + 2]];
        path = (c === 'm' ? 'M' : path + 'L') + at[0] + ' ' + at[1];
        k += 2;
      } else if (c === 'o') {
        radius = icon[++k];
      } else {
        const fill = c === 'f' ? ' fill="currentColor" stroke="none"' : '';
        out += radius ? `<circle cx="${at[0]}" cy="${at[1]}" r="${radius}"${fill}/>` : `<path d="${path}${c === 's' ? '' : 'Z'}"${fill}/>`;
        radius = 0;
      }
    }
    return out;
  };
  const setIcon = (button, icon) => {
    if (button.dataset.icon === icon) return;
    button.dataset.icon = icon;
    button.innerHTML = '<svg viewBox="0 0 8 8" aria-hidden="true">' + drawing(icon) + '</svg>';
  };
  const nameOf = key => ({32: 'space', 9: 'tab', 11: 'F11'})[key] || String.fromCharCode(key);

  // ---- the film ------------------------------------------------------------------------------------------------------------

  let recorder = null;
  const save = (name, blob) => {
    const link = make('a', {href: URL.createObjectURL(blob), download: name});
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
    page.given = {name, size: blob.size, blob};
  };
  const film = () => {
    if (recorder) return recorder.stop();
    if (!window.MediaRecorder || !canvas.captureStream) return notice('this browser records no films');
    const kind = ['video/webm;codecs=vp9', 'video/webm', 'video/mp4'].find(k => MediaRecorder.isTypeSupported(k));
    const pieces = [];
    recorder = new MediaRecorder(canvas.captureStream(60), {mimeType: kind, videoBitsPerSecond: 12e6});
    recorder.ondataavailable = event => pieces.push(event.data);
    const awake = setInterval(() => Module._demoPageWake(), 200); // a film shows a pause, too
    recorder.onstop = () => {
      clearInterval(awake);
      const end = kind.includes('mp4') ? '.mp4' : '.webm';
      save((SCENES[scene] ? SCENES[scene].name : 'film') + end, new Blob(pieces, {type: kind}));
      recorder = null;
      showBar();
    };
    recorder.start();
    showBar();
  };

  // ---- what the page does itself, by key -----------------------------------------------------------------------------------

  const showPanel = shown => {
    document.body.classList.remove('bare');
    $('panel').hidden = !shown;
    $('panel-button').setAttribute('aria-expanded', shown);
  };
  const openText = () => {
    showPanel(true);
    $('text').open = true;
    $('editor').focus();
  };
  const openGallery = () => {
    showCards();
    $('gallery').showModal();
    $('gallery').querySelector('[aria-current="true"]')?.focus();
  };
  const copyLink = () => page.copy(location.href, 'the link is in the clipboard');
  const own = new Map([
    ['P', () => showPanel($('panel').hidden)], ['D', openText], ['N', openGallery], ['V', film], ['Y', copyLink],
    ['H', () => { showHelp(); $('help').showModal(); }],
    [String.fromCharCode(TAB), () => document.body.classList.toggle('bare')],
    [String.fromCharCode(FULL), () => page.full()]
  ].map(([key, act]) => [keyOf(key), act]));
  const use = (button, place) => {
    const act = own.get(button.key);
    if (act && !button.tool) act();
    else Module._demoPagePress(place, -1);
  };

  // ---- the bar and the menus -----------------------------------------------------------------------------------------------

  const buttonFor = (b, place) => {
    const button = make('button', {className: 'icon', type: 'button', onclick: () => { use(state.buttons[place], place); }});
    button.dataset.key = b.key;
    return button;
  };
  const showButton = (button, b) => {
    const recording = b.key === keyOf('V') && recorder;
    const help = b.key === keyOf('Y') ? 'copy a link to what is shown' : recording ? 'stop, and save the film' : b.help;
    setIcon(button, b.icon);
    button.title = `${help} (${nameOf(b.key)})`;
    button.setAttribute('aria-label', help);
    button.classList.toggle('recording', !!recording);
    if (b.tool || 'OIBLATWEV'.includes(String.fromCharCode(b.key))) button.setAttribute('aria-pressed', b.on || !!recording);
  };
  // Where the buttons stand: on the bar below the picture, in the head, in the panel; others have elements of their own.
  const placeOf = b => b.key === FULL && !document.fullscreenEnabled ? null : b.tool ? $('tools') : ' .,RXU-+'.includes(String.fromCharCode(b.key)) ? $('time')
    : 'SVYH'.includes(String.fromCharCode(b.key)) || b.key === FULL ? $('files')
    : 'NFCP'.includes(String.fromCharCode(b.key)) ? null : looks;
  const looks = make('div', {className: 'group'});
  let buttons = [];
  const showBar = () => {
    const wanted = state.buttons.map(b => b.key + ':' + b.tool).join();
    if ($('bar').dataset.wanted !== wanted) {
      $('bar').dataset.wanted = wanted;
      for (const place of [$('time'), $('tools'), $('files'), looks]) place.replaceChildren();
      buttons = state.buttons.map((b, k) => {
        const place = placeOf(b);
        if (!place) return null;
        const button = buttonFor(b, k);
        place.append(button);
        return button;
      });
    }
    state.buttons.forEach((b, k) => { if (buttons[k]) showButton(buttons[k], b); });
    setIcon($('panel-button'), 'm12l72sm14l74sm16l76sm32o1fm54o1fm26o1f');
  };
  const menuOf = key => state.buttons.findIndex(b => b.key === keyOf(key) && b.menu);
  const fill = (select, names, current) => {
    const wanted = names.join('\n');
    if (select.dataset.names !== wanted) {
      select.dataset.names = wanted;
      select.replaceChildren(...names.map((name, k) => make('option', {value: k, textContent: name})));
    }
    if (document.activeElement !== select || !select.matches(':open')) select.value = current;
  };
  const showMenu = (select, key) => {
    const place = menuOf(key);
    if (place < 0) return;
    fill(select, state.buttons[place].menu, state.buttons[place].current);
    select.onchange = () => Module._demoPagePress(menuOf(key), Number(select.value));
  };

  // ---- scenes --------------------------------------------------------------------------------------------------------------

  const choose = k => {
    typed = false;
    $('gallery').close();
    Module._demoPagePress(menuOf('N'), k);
    canvas.focus();
  };
  // A scene that came without a picture gets one when it is seen.
  const nameInStore = k => 'texla ' + document.title + ' ' + SCENES[k].name;
  const stored = k => { try { return localStorage.getItem(nameInStore(k)); } catch (e) { return null; } };
  const pictureOf = k => SCENES[k] && (SCENES[k].picture || stored(k));
  // The next one that is drawn.
  const takePicture = () => {
    if (ended || !SCENES[scene] || SCENES[scene].picture) return;
    page.wanted = true;
    Module._demoPageWake();
  };
  const keepPicture = () => {
    page.wanted = false;
    const small = make('canvas', {width: 320, height: 180}), scale = Math.max(320 / canvas.width, 180 / canvas.height);
    small.getContext('2d').drawImage(canvas, (320 - scale * canvas.width) / 2, (180 - scale * canvas.height) / 2, scale * canvas.width, scale * canvas.height);
    try { localStorage.setItem(nameInStore(scene), small.toDataURL('image/jpeg', 0.7)); } catch (e) { /* the store is full, or switched off */ }
  };
  const showCards = () => {
    const menu = state.buttons[menuOf('N')].menu;
    const cards = menu.map((title, k) => {
      const picture = pictureOf(k) ? make('img', {src: pictureOf(k), alt: ''}) : make('span', {});
      const card = make('button', {className: 'card', onclick: () => choose(k)}, picture, make('span', {textContent: title}));
      if (k === scene) card.setAttribute('aria-current', 'true');
      return card;
    });
    $('gallery').querySelector('.cards').replaceChildren(...cards);
  };

  // ---- numbers and choices -------------------------------------------------------------------------------------------------

  const isParameter = item => item.help === 'a parameter of the scene';
  const shown = item => {
    const given = item.value !== 0 && !(item.bounded && item.least !== null && item.value < item.least);
    return given || isParameter(item) ? item.value : item.own;
  };
  const set = (place, value, dragged) => Module._demoPageNumber(place, value, dragged ? 1 : 0);
  const slides = item => item.bounded && !item.whole && item.least !== null && item.most !== null && item.most < 1e30 && item.least > -1e30;
  const resetButton = place => make('button', {
    className: 'reset', type: 'button', textContent: '↺', title: 'reset ' + state.items[place].name, onclick: () => set(place, state.items[place].first, false)
  });
  const choiceRow = (item, place) => {
    const select = make('select', {id: 'item' + place, onchange: () => set(place, Number(select.value), false)});
    return [select];
  };
  const numberRow = (item, place) => {
    const number = make('input', {type: 'number', id: 'item' + place, step: 'any'});
    number.onchange = () => { if (number.value !== '') set(place, Number(number.value), false); };
    if (!slides(item)) return [number];
    const slider = make('input', {type: 'range', min: item.least, max: item.most, step: 'any'});
    slider.setAttribute('aria-label', item.name);
    slider.oninput = () => { number.value = roundly(Number(slider.value)); set(place, Number(slider.value), true); };
    slider.onchange = () => set(place, Number(slider.value), false);
    slider.onkeydown = event => {
      const way = {ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1}[event.key];
      if (!way) return;
      event.preventDefault();
      slider.value = Number(slider.value) + way * (item.most - item.least) / 100;
      slider.onchange();
    };
    return [number, slider];
  };
  const rowFor = (item, place) => {
    const label = make('label', {htmlFor: 'item' + place, title: item.help || ''}, item.name);
    if (item.unit) label.append(make('small', {textContent: ' (' + item.unit + ')'}));
    const [first, ...rest] = item.choices ? choiceRow(item, place) : numberRow(item, place);
    return make('div', {className: 'number'}, label, first, resetButton(place), ...rest);
  };
  const showChoice = (select, item) => {
    const first = item.scenes || item.value < 0 ? ['the scene\'s own'] : [];
    fill(select, [...first, ...item.choices], 0);
    [...select.options].forEach((option, k) => { option.value = k - first.length; });
    if (document.activeElement !== select) select.value = item.value < 0 && item.own >= 0 && !first.length ? item.own : item.value;
  };
  const showNumber = (row, item) => {
    const active = document.activeElement;
    for (const input of row.querySelectorAll('input'))
      if (input !== active || (input.type === 'range' && !input.matches(':active'))) input.value = input.type === 'range' ? shown(item) : roundly(shown(item));
  };
  const showItems = () => {
    const key = item => [item.name, item.unit, item.least, item.most, item.choices && item.choices.join()].join();
    const wanted = state.title + state.items.map(key).join('\n');
    if ($('options').dataset.wanted !== wanted) {
      $('options').dataset.wanted = wanted;
      const rows = state.items.map(rowFor);
      $('parameters').replaceChildren(...rows.filter((row, k) => isParameter(state.items[k])));
      $('options').replaceChildren(...rows.filter((row, k) => !isParameter(state.items[k])));
      if (!state.lines.length && !state.items.some(isParameter)) $('more').open = true;
      showItems.rows = rows;
    }
    state.items.forEach((item, k) => {
      const row = showItems.rows[k];
      row.classList.toggle('differs', item.differs);
      if (item.choices) showChoice(row.querySelector('select'), item);
      else showNumber(row, item);
    });
  };

  // ---- the brush and the colours' range ------------------------------------------------------------------------------------

  const brush = make('input', {type: 'range', min: Math.log(0.002), max: Math.log(0.25), step: 'any', id: 'brush'});
  const hold = make('input', {type: 'checkbox', id: 'hold'});
  const ends = [0, 1].map(k => make('input', {type: 'number', step: 'any', title: k ? 'the highest value' : 'the lowest value'}));
  const setView = () => Module._demoPageView(Math.exp(Number(brush.value)), hold.checked ? 1 : 0, Number(ends[0].value), Number(ends[1].value));
  brush.oninput = setView;
  for (const input of [hold, ...ends]) input.onchange = setView;
  $('looks').append(looks,
    make('div', {className: 'number'}, make('label', {htmlFor: 'brush', textContent: 'brush'}), brush),
    make('p', {}, hold, make('label', {htmlFor: 'hold', textContent: ' hold the colours\' range'})), make('div', {className: 'row'}, ...ends));
  const showView = () => {
    if (document.activeElement !== brush) brush.value = Math.log(state.brush);
    hold.checked = state.holds;
    ends.forEach((input, k) => {
      input.hidden = !state.holds;
      if (document.activeElement !== input) input.value = roundly(state.range[k] || 0);
    });
  };

  // ---- lines that are typed, with what is wrong at its column --------------------------------------------------------------

  const lineFor = (line, place) => {
    const tell = entered => {
      typed = true;
      call('demoPageLine', ['number', 'string', 'boolean'], place, field.value, entered);
    };
    const field = line.choices ? make('select', {onchange: () => tell(true)})
      : make('input', {type: 'text', spellcheck: false, autocapitalize: 'off', autocomplete: 'off', oninput: () => tell(false), onchange: () => tell(true)});
    field.id = 'line' + place;
    const error = make('div', {className: 'error', hidden: true});
    error.setAttribute('role', 'alert');
    field.onscroll = () => error.querySelector('b')?.scrollTo(field.scrollLeft, 0);
    return make('div', {className: 'line'}, make('label', {htmlFor: field.id, textContent: line.label, title: line.help || ''}), field, error);
  };
  const showLines = () => {
    const wanted = state.lines.map(line => line.label).join('\n');
    if ($('lines').dataset.wanted !== wanted) {
      $('lines').dataset.wanted = wanted;
      $('lines').replaceChildren(...state.lines.map(lineFor));
    }
    let told = !state.wrong;
    state.lines.forEach((line, k) => {
      const row = $('lines').children[k], field = row.children[1], error = row.children[2], last = k === state.lines.length - 1;
      if (line.choices) fill(field, line.choices, line.choices.indexOf(line.text));
      else if (document.activeElement !== field) field.value = line.text;
      if (line.choices) [...field.options].forEach(option => { option.value = option.textContent; });
      if (line.choices) field.value = line.text;
      row.hidden = !line.shown;
      row.classList.toggle('wrong', line.wrong);
      error.hidden = told || !(line.wrong || (last && !state.lines.some(l => l.wrong)));
      if (error.hidden) return;
      told = true;
      const mark = line.wrong && line.column >= 0 ? [make('b', {textContent: ' '.repeat(line.column) + '^'})] : [];
      error.replaceChildren(...mark, state.wrong);
      field.onscroll();
    });
  };

  // ---- the scene's text ----------------------------------------------------------------------------------------------------

  const editor = $('editor');
  let edited = false, ran = false;
  editor.oninput = () => { edited = true; };
  const act = number => {
    ran = true;
    edited = false;
    if (number < 3) typed = true;
    call('demoPageText', ['string', 'number'], editor.value, number);
  };
  for (const button of document.querySelectorAll('[data-act]')) button.onclick = () => act(Number(button.dataset.act));
  editor.onkeydown = event => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) act(1);
  };
  const showText = () => {
    if (!edited && editor.value !== state.text) editor.value = state.text;
    $('complaint').textContent = state.complaint;
    if (!state.complaint || !ran || !state.place[0]) return;
    ran = false;
    const lines = editor.value.split('\n'), before = lines.slice(0, state.place[0] - 1).join('\n').length + (state.place[0] > 1 ? 1 : 0);
    const column = Math.max(state.place[1] - 1, 0), length = lines[state.place[0] - 1]?.length || 0;
    editor.focus();
    editor.setSelectionRange(before + column, before + (state.place[1] ? Math.min(column + 1, length) : length));
  };

  // ---- help ----------------------------------------------------------------------------------------------------------------

  const showHelp = () => {
    const rows = [['drag', 'use the tool: ' + (state.buttons.find(b => b.tool && b.on)?.help || '')], ['right drag', 'draw an obstacle, or erase'],
      ['fingers', 'each one is a pointer of its own'], ['wheel, pinch', 'a larger or smaller brush'],
      ['arrows', 'with the picture chosen by the tabulator: move the pointer; return uses the tool'],
      ...state.buttons.filter(b => !b.tool && b.key !== TAB).map(b => [nameOf(b.key), b.help])];
    const table = make('table', {}, ...rows.map(([key, text]) => make('tr', {}, make('td', {}, make('kbd', {textContent: key})), make('td', {textContent: text}))));
    $('help').querySelector('div').replaceChildren(table);
  };
  for (const dialog of document.querySelectorAll('dialog')) dialog.onclick = event => { if (event.target === dialog) dialog.close(); };
  $('scenes').onclick = openGallery;
  $('panel-button').onclick = () => showPanel($('panel').hidden !== document.body.classList.contains('bare'));

  // ---- what the program calls ----------------------------------------------------------------------------------------------

  let noticed = 0;
  const notice = text => { $('above').textContent = text; noticed = Date.now() + 3000; };
  const page = {
    given: null, first_picture: 0, pictures: 0, wanted: false,
    panel(next) {
      began = true;
      state = next;
      page.state = next;
      const current = next.buttons[menuOf('N')]?.current;
      if (current >= 0) scene = current;
      $('title').textContent = next.title;
      showBar();
      showMenu($('field'), 'F');
      showMenu($('colours'), 'C');
      showItems();
      showView();
      showLines();
      showText();
      writeAddress();
    },
    tell(above, below) {
      if (Date.now() > noticed) $('above').textContent = fingers.matches ? above.trim().replace('left button', 'finger').replace('paused: space goes on', 'paused') : above.trim();
      $('below').textContent = below;
    },
    shown(first) {
      page.pictures++;
      if (first) page.first();
      if (page.wanted) keepPicture();
    },
    first() {
      if (!page.first_picture) {
        page.first_picture = performance.now();
        if (calm.matches) setTimeout(() => press(' '), 0);
      }
      $('wait').hidden = true;
      clearTimeout(page.photograph);
      page.photograph = setTimeout(takePicture, 4000);
    },
    full() {
      if (document.fullscreenElement) document.exitFullscreen();
      else document.documentElement.requestFullscreen?.().catch(() => notice('this browser shows no page on the whole screen'));
    },
    copy(text, told) {
      const done = () => notice(told || 'copied: ' + text);
      if (navigator.clipboard) navigator.clipboard.writeText(text).then(done, () => prompt('copy this', text));
      else prompt('copy this', text);
    },
    give(name, bytes) { save(name, new Blob([bytes])); }
  };

  // ---- pointers ------------------------------------------------------------------------------------------------------------

  // Each finger that touches; those that have just come wait a moment, since two that come together are a pinch.
  const pointers = new Map(), DRAG = 6, TOGETHER = 120;
  let pinch = 0;
  const density = () => canvas.width / Math.max(canvas.clientWidth, 1);
  const placed = event => {
    const box = canvas.getBoundingClientRect(), d = density();
    return [(event.clientX - box.left) * d, (event.clientY - box.top) * d];
  };
  const point = p => {
    Module._demoPagePoint(p.at[0], p.at[1], p.first ? 1 : 0, p.right ? 1 : 0, p.finger);
    p.first = false;
    p.sent = p.at;
  };
  const begin = p => {
    clearTimeout(p.timer);
    p.timer = 0;
    p.waits = false;
    point(p);
  };
  const apart = () => {
    const [a, b] = [...pointers.values()];
    return Math.hypot(a.at[0] - b.at[0], a.at[1] - b.at[1]);
  };
  const freeFinger = () => {
    const taken = new Set([...pointers.values()].map(p => p.finger));
    let finger = 0;
    while (taken.has(finger)) finger++;
    return finger;
  };
  canvas.addEventListener('pointerdown', event => {
    if (!began || (event.button !== 0 && event.button !== 2)) return;
    event.preventDefault();
    canvas.focus({preventScroll: true});
    try { canvas.setPointerCapture(event.pointerId); } catch (e) { /* one made by a program */ }
    const p = {at: placed(event), first: true, right: event.button === 2, finger: freeFinger(), waits: event.pointerType === 'touch'};
    pointers.set(event.pointerId, p);
    Module._demoPageHover(p.at[0], p.at[1], event.pointerType !== 'touch' ? 1 : 0);
    const waiting = [...pointers.values()].filter(q => q.waits);
    if (!p.waits) begin(p);
    else if (pointers.size === 2 && waiting.length === 2) {
      waiting.forEach(q => clearTimeout(q.timer));
      pinch = apart();
    } else if (pinch) {
      pinch = 0;
      waiting.forEach(begin);
    } else p.timer = setTimeout(() => begin(p), TOGETHER);
  });
  canvas.addEventListener('pointermove', event => {
    const p = pointers.get(event.pointerId);
    if (!began) return;
    if (event.pointerType !== 'touch') Module._demoPageHover(...placed(event), 1);
    if (!p) return;
    p.at = placed(event);
    if (pinch) {
      const next = apart();
      Module._demoPageWheel(Math.log(next / pinch) / Math.log(1.15));
      pinch = next;
      return;
    }
    const far = Math.hypot(p.at[0] - (p.sent || p.began || (p.began = p.at))[0], p.at[1] - (p.sent || p.began)[1]) >= DRAG * density();
    if (p.waits && far) begin(p);
    else if (!p.waits && far) point(p);
  });
  const lift = event => {
    const p = pointers.get(event.pointerId);
    if (!p) return;
    if (p.waits && !pinch && event.type === 'pointerup') begin(p);
    clearTimeout(p.timer);
    pointers.delete(event.pointerId);
    if (pointers.size === 0) pinch = 0;
    else if (pinch) pointers.clear();
  };
  canvas.addEventListener('pointerup', lift);
  canvas.addEventListener('pointercancel', lift);
  canvas.addEventListener('pointerleave', () => { if (began) Module._demoPageHover(0, 0, 0); });
  canvas.addEventListener('contextmenu', event => event.preventDefault());
  // a pinch on a touchpad comes as a wheel with control
  canvas.addEventListener('wheel', event => {
    event.preventDefault();
    if (began) Module._demoPageWheel(-event.deltaY / (event.ctrlKey ? 10 : event.deltaMode === 1 ? 3 : 100));
  }, {passive: false});

  // ---- keys ----------------------------------------------------------------------------------------------------------------

  // The pointer of those who have no mouse: in pixels of the canvas.
  const cross = {at: null, down: false, sent: null};
  const moveCross = event => {
    const step = (event.shiftKey ? 0.08 : 0.02) * canvas.height;
    const by = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]}[event.key];
    if (!cross.at) cross.at = [canvas.width / 2, canvas.height / 2];
    cross.at = [0, 1].map(k => Math.min(Math.max(cross.at[k] + step * by[k], 0), (k ? canvas.height : canvas.width) - 1));
    Module._demoPageHover(...cross.at, 1);
    if (cross.down) Module._demoPagePoint(...cross.at, 0, 0, 0);
  };
  const typing = element => element && (element.matches('input, textarea, select') || element.closest('dialog'));
  const onPicture = event => {
    if (event.key.startsWith('Arrow')) moveCross(event);
    else if (event.key === 'Enter' && !cross.down) {
      cross.at = cross.at || [canvas.width / 2, canvas.height / 2];
      cross.down = true;
      Module._demoPagePoint(...cross.at, 1, 0, 0);
    } else if (event.key !== 'Enter') return false;
    return true;
  };
  const pressed = event => {
    const key = event.key.length === 1 ? keyOf(event.key.toUpperCase()) : 0;
    if (event.key === 'F1') own.get(keyOf('H'))();
    else if (event.key === 'ArrowLeft' || event.key === 'ArrowRight') press(event.key === 'ArrowLeft' ? ',' : '.');
    else if (event.key === 'Escape' && document.body.classList.contains('bare')) document.body.classList.remove('bare');
    else if (own.has(key)) own.get(key)();
    else if (key) press(key);
    else return false;
    return true;
  };
  addEventListener('keydown', event => {
    const target = document.activeElement, button = target?.matches('button, summary');
    if (!began || ended || typing(target) || (button && (event.key === ' ' || event.key === 'Enter'))) return;
    const undo = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'z';
    if (undo) press('U');
    if (undo || event.ctrlKey || event.metaKey || event.altKey) return;
    if (!state || ((target === canvas && onPicture(event)) || pressed(event))) event.preventDefault();
  });
  addEventListener('keyup', event => { if (event.key === 'Enter') cross.down = false; });

  // ---- the size, in the screen's pixels ------------------------------------------------------------------------------------

  const measure = () => {
    const d = window.devicePixelRatio || 1;
    if (loaded) Module._demoPageSize(Math.round(canvas.clientWidth * d), Math.round(canvas.clientHeight * d), d);
  };
  new ResizeObserver(measure).observe(canvas);
  addEventListener('resize', measure);

  // ---- the program ---------------------------------------------------------------------------------------------------------

  if (innerWidth <= 700 || innerHeight <= 560) showPanel(false);
  // until there is a picture, that of the menu
  const preview = !asked.has('text') && pictureOf(Math.max(SCENES.findIndex(s => s.name === asked.get('scene')), 0));
  if (preview) $('wait').prepend(make('img', {src: preview, alt: ''}));
  const program = unpack(WASM);
  const reason = missing();
  if (reason) addEventListener('load', () => { ended = true; document.body.classList.add('bare'); $('panel-button').hidden = true; explain('This device cannot show it', reason); });
  return {
    canvas, page, noInitialRun: !!reason,
    instantiateWasm: (imports, done) => {
      program.then(module => WebAssembly.instantiate(module, imports).then(made => done(made, module))).catch(error => failWith('The program could not be loaded: ' + error));
      return {};
    },
    arguments: argumentsOf(asked),
    preRun: [() => {
      loaded = true;
      typed = asked.has('text');
      if (typed) Module.FS.writeFile('/typed.scene', asked.get('text'));
      scene = SCENES.findIndex(s => s.name === asked.get('scene'));
      measure();
    }],
    print: text => console.log(text),
    printErr: text => { said.push(text); if (said.length > 20) said.shift(); console.log(text); },
    onExit: status => { if (status && isLost()) explainLoss(); else if (status) failWith(said.slice(-6).join('\n')); },
    onAbort: what => failWith(String(what))
  };
})();
