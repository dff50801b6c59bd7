// What draws a chart in the page: a function of echarts and of the key under which charts of this version wait in
// window.arrayreplCharts. Each chart is an element with its static picture, a place for the live chart, and its data as
// JSON; see html.go. Colours of text and lines come from the page, so that charts follow its theme.
(function (echarts, key) {
  "use strict";
  const live = new Map(); // element -> its echarts instance
  const mark = "#222222"; // ruleColor of palette.go: the page's ink
  const quiet = { "#E4E4E4": "#3C3C3C", "#C4C4C4": "#5C5C5C" }; // what means nothing is not the brightest on a dark page either
  let picked = null; // the kernel that a click has chosen: the marks of others are pale, in all charts of the page
  const opacity = (key) => (picked === null || key === undefined || key === picked ? 1 : 0.15);

  function pick(key) {
    picked = key;
    for (const chart of live.values()) if (chart.arrayreplPick) chart.arrayreplPick();
  }

  const escape = (s) => String(s).replace(/[&<>"]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[c]);

  // The same rule as number in axis.go: groups of three from 10,000 on, no noise digits.
  function number(v) {
    const a = Math.abs(v);
    if (a !== 0 && (a < 1e-4 || a >= 1e9)) return (+v.toPrecision(5)).toExponential().replace("e+", "e");
    return a >= 1e4 ? (+v.toPrecision(9)).toLocaleString("en-US") : String(+v.toPrecision(6));
  }

  function colours(el) {
    const text = getComputedStyle(el).color;
    const [r, g, b] = text.match(/[\d.]+/g).map(Number);
    let back = 299 * r + 587 * g + 114 * b > 140000 ? "rgb(31, 31, 31)" : "rgb(255, 255, 255)"; // a page may have none: VS Code's lies behind a frame
    for (let e = el; e; e = e.parentElement) {
      const b = getComputedStyle(e).backgroundColor;
      if (b !== "transparent" && !/^rgba\(.*, 0\)$/.test(b)) { back = b; break; }
    }
    const fade = (share) => {
      const a = text.match(/[\d.]+/g).map(Number), b = back.match(/[\d.]+/g).map(Number);
      return "rgb(" + [0, 1, 2].map((i) => Math.round(a[i] * share + b[i] * (1 - share))).join(",") + ")";
    };
    const [br, bg, bb] = back.match(/[\d.]+/g).map(Number), dark = 299 * br + 587 * bg + 114 * bb < 100000;
    return { text, back, dark, shade: (hex) => (dark && quiet[hex]) || hex, soft: fade(0.75), line: fade(0.5), grid: fade(0.15) };
  }

  // rectangle draws one box: [x0, x1, y0, y1], with its name inside where there is room.
  function rectangle(item, colour) {
    return function (params, api) {
      const lanes = item.lanes;
      const y = lanes ? Math.round((api.value(2) + api.value(3)) / 2) : api.value(3);
      const a = api.coord([api.value(0), y]), b = api.coord([api.value(1), lanes ? y : api.value(2)]);
      const band = lanes ? api.size([0, 1])[1] * (api.value(3) - api.value(2)) : 0;
      const off = lanes ? ((api.value(2) + api.value(3)) / 2 - y) * api.size([0, 1])[1] : 0; // of its middle from the lane's
      const box = { x: a[0], y: lanes ? a[1] + off - band / 2 : Math.min(a[1], b[1]), width: Math.max(b[0] - a[0], 1.5), height: lanes ? band : Math.abs(b[1] - a[1]) };
      if (item.stack) { // whole pixels: no seams between neighbours
        const right = Math.round(b[0]), bottom = Math.round(b[1]);
        box.x = Math.round(box.x); box.y = Math.round(box.y);
        box.width = right - box.x; box.height = bottom - box.y;
      }
      const shape = echarts.graphic.clipRectByRect(box, params.coordSys);
      if (!shape) return;
      const name = shape.height > 9 && item.names[params.dataIndex];
      const rect = { type: "rect", shape, style: { fill: colour, opacity: opacity(item.keys[params.dataIndex]), stroke: item.back, lineWidth: lanes || item.stack || shape.width < 4 ? 0 : 1 }, emphasis: { style: { opacity: 0.8 } } };
      if (name && shape.width > 36) {
        rect.textContent = { type: "text", style: { text: name, fill: item.ink(colour), fontSize: 11, width: shape.width - 8, overflow: "truncate", ellipsis: "…" } };
        rect.textConfig = { position: "insideLeft", distance: 4 };
      } else if (name && measured(name, { fontSize: 11 }) < shape.width - 2) { // a number in a cell
        rect.textContent = { type: "text", style: { text: name, fill: item.ink(colour), fontSize: 11 } };
        rect.textConfig = { position: "inside" };
      }
      return rect;
    };
  }

  function ink(hex) { // as onColor in palette.go
    const n = parseInt(hex.slice(1), 16);
    return 299 * (n >> 16) + 587 * ((n >> 8) & 255) + 114 * (n & 255) > 140000 ? "#000" : "#fff";
  }

  function withUnit(v, axis) {
    if (axis.time) return new Date(v).toISOString().replace("T", " ").replace(/\.?0*Z$/, "").replace(/(:\d\d):00$/, "$1").replace(/ 00:00$/, "");
    return number(v) + (axis.unit ? " " + axis.unit : "");
  }

  // colour is Scale.colour of scale.go as [r, g, b].
  function colour(scale, v) {
    const f = (scale.max > scale.min ? Math.min(1, Math.max(0, (v - scale.min) / (scale.max - scale.min))) : 0.5) * (scale.colors.length - 1);
    const i = Math.min(Math.floor(f), scale.colors.length - 2);
    const part = (hex, k) => parseInt(hex.slice(1 + 2 * k, 3 + 2 * k), 16);
    return [0, 1, 2].map((k) => Math.round(part(scale.colors[i], k) + (part(scale.colors[i + 1], k) - part(scale.colors[i], k)) * (f - i)));
  }

  // cells draws a grid into a picture of its own, large enough that what a browser smooths is not seen.
  function cells(grid, scale) {
    const rgb = grid.rgb && Uint8Array.from(atob(grid.rgb), (c) => c.charCodeAt(0));
    const small = document.createElement("canvas");
    small.width = grid.cols; small.height = grid.rows;
    const pixels = small.getContext("2d").createImageData(grid.cols, grid.rows);
    for (let i = 0; i < grid.cols * grid.rows; i++) {
      if (!rgb && grid.z[i] === null) continue;
      const row = Math.floor(i / grid.cols), y = grid.down ? row : grid.rows - 1 - row;
      const at = 4 * (y * grid.cols + i % grid.cols);
      pixels.data.set(rgb ? rgb.subarray(3 * i, 3 * i + 3) : colour(scale, grid.z[i]), at);
      pixels.data[at + 3] = 255;
    }
    small.getContext("2d").putImageData(pixels, 0, 0);
    const big = document.createElement("canvas"), times = (n) => n * Math.max(1, Math.floor(1600 / n));
    big.width = times(grid.cols); big.height = times(grid.rows);
    const pen = big.getContext("2d");
    pen.imageSmoothingEnabled = false;
    pen.drawImage(small, 0, 0, big.width, big.height);
    return big;
  }

  function picture(grid, scale) {
    const image = cells(grid, scale), [x0, x1, y0, y1] = grid.box;
    return function (params, api) {
      const a = api.coord([x0, y0]), b = api.coord([x1, y1]);
      return { type: "image", style: { image, x: Math.min(a[0], b[0]), y: Math.min(a[1], b[1]), width: Math.abs(b[0] - a[0]), height: Math.abs(b[1] - a[1]) } };
    };
  }

  // meshView is newView of surface.go: it projects points of space into the plot.
  function meshView(mesh, box) {
    const rad = Math.PI / 180, sin = Math.sin(mesh.turn * rad), cos = Math.cos(mesh.turn * rad), st = Math.sin(mesh.tilt * rad), ct = Math.cos(mesh.tilt * rad);
    const size = Math.min(box.width / 2 / Math.SQRT2, box.height / 2 / (Math.SQRT2 * st + mesh.up * ct)) / mesh.room * (mesh.zoom || 1);
    const depth = (x, y) => x * sin + y * cos;
    return { depth, at: (x, y, z) => [box.x + box.width / 2 + size * (x * cos - y * sin), box.y + box.height / 2 - size * (depth(x, y) * st + z * mesh.up * ct)] };
  }

  // surface draws the cells between the values of a grid, one datum each, the frame being datum -1. order says which datum
  // is which cell, the farthest first; it depends on the turn.
  function surface(p) {
    const g = p.grid, s = p.scale, spot = (c, r) => [2 * c / (g.cols - 1) - 1, (g.down ? -1 : 1) * (2 * r / (g.rows - 1) - 1)];
    const up = (c, r) => 2 * (g.z[r * g.cols + c] - s.min) / (s.max - s.min) - 1;
    const corners = [[0, 0], [1, 0], [1, 1], [0, 1]];
    const cellsOf = [];
    for (let r = 0; r < g.rows - 1; r++) for (let c = 0; c < g.cols - 1; c++) {
      if (corners.some(([i, j]) => g.z[(r + j) * g.cols + c + i] === null)) continue;
      cellsOf.push([c, r]);
    }
    const order = () => {
      const rad = Math.PI / 180, sin = Math.sin(p.mesh.turn * rad), cos = Math.cos(p.mesh.turn * rad);
      const depth = cellsOf.map(([c, r]) => { const [x, y] = spot(c + 0.5, r + 0.5); return x * sin + y * cos; });
      return [-1].concat(cellsOf.map((_, i) => i).sort((a, b) => depth[b] - depth[a]));
    };
    const draw = (now, c) => (params) => {
      const v = meshView(p.mesh, params.coordSys), i = now()[params.dataIndex];
      if (i < 0) return frame(p, v, c);
      const [col, row] = cellsOf[i];
      const points = corners.map(([k, j]) => v.at(...spot(col + k, row + j), up(col + k, row + j)));
      const rgb = colour(s, corners.reduce((sum, [k, j]) => sum + g.z[(row + j) * g.cols + col + k] / 4, 0));
      return { type: "polygon", shape: { points }, style: { fill: "rgb(" + rgb + ")", stroke: "rgb(" + rgb.map((n) => Math.floor(n / 4) * 3) + ")", lineWidth: 0.4 } };
    };
    const say = (i) => {
      if (i < 0) return "";
      const [col, row] = cellsOf[i], mid = (k, n, lo, hi) => lo + (k + 1) / n * (hi - lo); // between two values
      const z = corners.map(([k, j]) => g.z[(row + j) * g.cols + col + k]);
      return [[p.x.label || "x", withUnit(+mid(col, g.cols, g.box[0], g.box[1]).toPrecision(4), p.x)], [p.y.label || "y", withUnit(+mid(row, g.rows, g.box[2], g.box[3]).toPrecision(4), p.y)],
        [s.label || "height", number(+((z[0] + z[1] + z[2] + z[3]) / 4).toPrecision(4))]];
    };
    return { order, draw, say };
  }

  // frame is the base of a surface with the ends and names of its axes, at whichever edges are in front.
  function frame(p, v, c) {
    const g = p.grid, out = 1 + p.mesh.out, far = 1 + 1.6 * p.mesh.out, children = [];
    const base = [[-1, -1], [1, -1], [1, 1], [-1, 1]].map(([x, y]) => v.at(x, y, -1));
    children.push({ type: "polygon", silent: true, shape: { points: base }, style: { fill: "none", stroke: c.soft, lineWidth: 0.8 } });
    const text = (s, x, y, fill) => { const at = v.at(x, y, -1); children.push({ type: "text", silent: true, style: { text: s, x: at[0], y: at[1] + 4, fill, fontSize: 11, align: "center", verticalAlign: "middle" } }); };
    const short = (n) => number(+n.toPrecision(4)), half = (lo, hi, n) => (hi - lo) / n / 2;
    const fy = v.depth(0, -1) <= v.depth(0, 1) ? -1 : 1, fx = v.depth(-1, 0) <= v.depth(1, 0) ? -1 : 1; // the edges in front
    const hx = half(g.box[0], g.box[1], g.cols), hy = half(g.box[2], g.box[3], g.rows);
    const ys = [g.box[2] + hy, g.box[3] - hy];
    if (g.down) ys.reverse();
    text(short(g.box[0] + hx), -0.9, fy * out, c.soft);
    text(p.x.label || "x", 0, fy * far, c.text);
    text(short(g.box[1] - hx), 0.9, fy * out, c.soft);
    text(short(ys[0]), fx * out, -0.9, c.soft);
    text(p.y.label || "y", fx * far, 0, c.text);
    text(short(ys[1]), fx * out, 0.9, c.soft);
    return { type: "group", children };
  }

  // controls makes a line of controls under a live chart: a button that plays, a slider, and words.
  function controls(el, state, spec) {
    const line = document.createElement("div"), play = document.createElement("button"), slider = document.createElement("input"), words = document.createElement("span");
    line.className = "arrayrepl-controls";
    line.style.cssText = "display:flex;flex-wrap:wrap;align-items:center;gap:10px;padding:2px 12px 6px;font-size:12px";
    play.textContent = "▶";
    play.title = play.ariaLabel = spec.play;
    play.style.cssText = "font-size:12px;cursor:pointer";
    Object.assign(slider, { type: "range", min: spec.min, max: spec.max, step: 1, value: spec.value, title: spec.name, ariaLabel: spec.name });
    slider.style.cssText = "width:240px;max-width:60%;flex:none";
    words.style.cssText = "flex:1 1 240px;min-width:0;overflow:hidden;text-overflow:ellipsis;white-space:nowrap;font-family:monospace";
    line.append(play, slider, words);
    el.querySelector(".arrayrepl-live").after(line);
    const table = document.createElement("pre");
    table.style.cssText = "margin:0;padding:2px 12px 6px;font-size:12px;line-height:1.3;overflow:auto;background:none;border:0;color:inherit";
    table.tabIndex = 0; // what is wider than the page scrolls, by arrow keys too
    table.style.minHeight = 1.3 * (spec.rows || 0) + "em"; // what follows stays where it is
    if (spec.table) line.after(table);
    const go = (n) => { slider.value = n; words.title = words.textContent = spec.show(n); if (spec.table) table.textContent = spec.table(n); };
    const stop = () => { clearInterval(state.playing); state.playing = 0; play.textContent = "▶"; };
    slider.addEventListener("input", () => { stop(); go(+slider.value); });
    play.addEventListener("click", () => {
      if (state.playing) return stop();
      play.textContent = "⏸";
      if (+slider.value >= spec.max && !spec.round) go(spec.min);
      state.playing = setInterval(() => {
        if (+slider.value < spec.max) return go(+slider.value + spec.by);
        if (spec.round) return go(spec.min);
        stop();
      }, spec.every);
    });
    state.leave = () => { clearInterval(state.playing); line.remove(); table.remove(); };
    state.go = go;
    state.place = () => +slider.value;
    go(spec.value);
  }

  // cellTip says what lies under the pointer.
  function cellTip(page, i, chart, pointer) {
    const p = page.panels[i], g = p.grid, at = chart.convertFromPixel({ gridIndex: i }, pointer);
    if (!at) return "";
    const c = Math.floor((at[0] - g.box[0]) / (g.box[1] - g.box[0]) * g.cols), r = Math.floor((at[1] - g.box[2]) / (g.box[3] - g.box[2]) * g.rows);
    if (c < 0 || r < 0 || c >= g.cols || r >= g.rows) return "";
    const middle = (k, n, lo, hi, axis) => {
      const at = lo + (k + 0.5) / n * (hi - lo);
      if (axis.time) return withUnit(hi - lo > n * 86400e3 ? Math.floor(at / 86400e3) * 86400e3 : Math.round(at / 1000) * 1000, axis);
      return axis.names ? axis.names[k] : withUnit(+at.toPrecision(4), axis);
    };
    const rows = [[p.x.label || "x", middle(c, g.cols, g.box[0], g.box[1], p.x)], [p.y.label || "y", middle(r, g.rows, g.box[2], g.box[3], p.y)]];
    const z = g.z && g.z[r * g.cols + c], words = p.scale && p.scale.words, step = page.player && page.player.steps[c];
    if (step) rows[0] = ["instruction " + (c + 1) + " of " + page.player.steps.length, page.player.lines[step.l]];
    if (words) rows[rows.length - 1][1] += ": " + words[z === null ? 2 : z];
    else if (g.z) rows.push([p.scale.label || "value", z === null ? "none" : number(z)]);
    return rows.map(([n, v]) => "<div>" + escape(n) + ": <b>" + escape(v) + "</b></div>").join("");
  }

  // bars are the colours of scales at the right of their plots, as graphic elements.
  function bars(page, c) {
    const out = [];
    page.panels.forEach((p, i) => {
      if (!p.scale || p.scale.hidden) return;
      const g = page.option.grid[i], top = +g.top, height = +g.height, right = +g.right - 28;
      const spot = g.width ? { left: +g.left + +g.width + 16 } : { right };
      const stops = p.scale.colors.map((color, k) => ({ offset: 1 - k / (p.scale.colors.length - 1), color }));
      out.push({ type: "rect", ...spot, top, silent: true, shape: { width: 12, height }, style: { fill: new echarts.graphic.LinearGradient(0, 0, 0, 1, stops.reverse()) } });
      for (const t of p.scale.ticks) {
        const y = top + height * (1 - (t - p.scale.min) / (p.scale.max - p.scale.min));
        const label = number(t), wide = echarts.format.getTextRect ? echarts.format.getTextRect(label, "11px Arial").width : 6 * label.length;
        out.push({ type: "text", silent: true, ...(g.width ? { left: spot.left + 18 } : { right: right - 6 - wide }), top: y - 5, style: { text: label, fill: c.soft, fontSize: 11 } });
      }
      const end = page.width - measured(p.scale.label || "", { fontSize: 12 }) - 4;
      if (p.scale.label) out.push({ type: "text", silent: true, ...(g.width ? { left: Math.min(spot.left, end) } : { right }), top: top - 20, style: { text: p.scale.label, fill: c.text, fontSize: 12 } });
    });
    return out;
  }

  // laneTip is what boxes of a lane say that say nothing themselves: the same in plots side by side.
  function laneTip(page, panel, value) {
    while (panel > 0 && !page.panels[panel].tips && page.panels[panel].y.hide) panel--;
    return value && page.panels[panel].tips && page.panels[panel].tips[Math.round((value[2] + value[3]) / 2)];
  }

  // vertical is the axis that a series counts on: its panel's left or right one.
  function vertical(page, series) {
    const p = page.panels[series.xAxisIndex || 0];
    return p.right && (series.yAxisIndex || 0) === p.rightAt ? p.right : p.y;
  }

  function tip(page, state) {
    const row = (marker, name, value) => "<div>" + marker + escape(name) + (name ? ": " : "") + "<b>" + escape(value) + "</b></div>";
    return function (params) {
      if (!Array.isArray(params)) {
        const panel = page.option.series[params.seriesIndex].xAxisIndex || 0;
        if (state.surface) return params.data === undefined ? "" : (state.surface.say(state.order[params.dataIndex]) || []).map(([n, v]) => "<div>" + escape(n) + ": <b>" + escape(v) + "</b></div>").join("");
        const lines = params.data && (params.data.tip || laneTip(page, panel, params.data.value));
        if (lines) return lines.map((line, i) => "<div>" + (i ? escape(line) : "<b>" + escape(line) + "</b>") + "</div>").join("");
        if (page.panels[panel].grid) return cellTip(page, panel, state.chart, state.pointer);
        const series = page.option.series[params.seriesIndex], p = page.panels[panel], y = vertical(page, series);
        return (series.name ? "<div>" + params.marker + "<b>" + escape(series.name) + "</b></div>" : "") +
          row(series.name ? "" : params.marker, p.x.label || "x", withUnit(params.value[0], p.x)) + row("", y.label || "y", withUnit(params.value[1], y));
      }
      let head = "", rows = "";
      for (const q of params) {
        const series = page.option.series[q.seriesIndex], p = page.panels[series.xAxisIndex || 0];
        const category = !Array.isArray(q.value), y = category ? q.value : series.stack ? q.value[3] - q.value[2] : q.value[1];
        const x = page.linked ? page.panels[page.panels.length - 1].x : p.x;
        head = head || "<div>" + escape(category ? q.name : (x.label ? x.label + ": " : x.time ? "" : "x: ") + withUnit(q.value[0], x)) + "</div>";
        if (y === null || y === undefined || Number.isNaN(y) || (series.stack && y === 0)) continue;
        const axis = vertical(page, series);
        rows += row(q.marker, series.name || axis.label || "y", withUnit(y, axis));
      }
      return head + rows;
    };
  }

  // styled adds to the option what depends on the page's theme, and functions, which JSON cannot carry.
  function styled(page, el, state) {
    const c = colours(el), o = page.option;
    const flat = page.panels.some((p) => p.grid);
    const dots = flat || page.panels.some((p) => p.bare) || o.series.every((s) => s.type === "scatter"); // both axes zoom
    o.useUTC = true;
    page.panels.forEach((p, i) => { p.x.time = o.xAxis[i].type === "time"; });
    o.textStyle = { color: c.text, fontFamily: "'Liberation Sans', Arial, Helvetica, sans-serif" };
    o.backgroundColor = "transparent";
    o.title.forEach((t, i) => { t.textStyle = Object.assign(t.textStyle || {}, { color: i === 0 ? c.text : c.soft }); t.padding = 0; });
    o.legend.forEach((l) => Object.assign(l, { itemWidth: 16, itemHeight: 11, itemGap: l.orient ? 9 : 14, padding: 5, icon: "rect", textStyle: { color: c.text, fontSize: 12 }, inactiveColor: c.line }));
    for (const a of o.xAxis.concat(o.yAxis)) {
      a.nameTextStyle = { color: c.text, fontSize: 12, lineHeight: 14 };
      a.axisLabel = { color: c.soft, fontSize: 11, hideOverlap: true };
      if (a.type === "value" || a.type === "log") a.axisLabel.formatter = number;
      if (a.type === "log" && typeof a.min === "number") a.startValue = a.min; // bars begin at the axis, not at 1
      a.axisLine = { onZero: false, lineStyle: { color: c.line } };
      a.axisTick = { show: false };
      a.splitLine = { show: a.type !== "category", lineStyle: { color: c.grid } };
    }
    for (const a of o.xAxis) a.axisLine.show = true;
    page.panels.forEach((p, i) => { // the ticks of the static picture, until it is zoomed
      if (p.right) Object.assign(o.yAxis[p.rightAt], { splitLine: { show: false } }).axisLine.show = true;
      if (p.bare) for (const a of [o.xAxis[i], o.yAxis[i]]) a.show = false;
      for (const [a, from] of [[o.xAxis[i], p.x], [o.yAxis[i], p.y], [o.yAxis[p.rightAt], p.right]]) {
        if (!from) continue;
        if (!from.ticks) continue;
        const names = new Map((from.names || []).map((name, k) => [from.ticks[k], name]));
        if (names.size && a.type === "value") Object.assign(a.axisLabel, { hideOverlap: false, color: c.text });
        Object.assign(a.axisLabel, { customValues: from.ticks, formatter: (v) => names.get(v) || number(v), rotate: from.upright ? 90 : 0 });
        a.axisTick = { show: false, customValues: from.ticks };
      }
    });
    for (const a of o.yAxis) {
      if (a.type !== "category") continue;
      Object.assign(a.axisLabel, { color: c.text, fontSize: 12, interval: 0, hideOverlap: false, ...(page.nameRoom && { width: page.nameRoom, overflow: "truncate" }) });
      a.axisLine.show = false;
      a.splitLine = { show: true, lineStyle: { color: c.grid } };
    }
    if (o.grid.filter((g) => g.width).length > 1) for (const a of o.xAxis) Object.assign(a.axisLabel, { alignMinLabel: "left", alignMaxLabel: "right" }); // not on those of the next plot
    page.panels.forEach((p, i) => { if (p.y.hide) o.yAxis[i].axisLabel = { show: false }; if (p.x.hide) o.xAxis[i].axisLabel = { show: false }; });
    const line = "path://M0,0h16v2h-16z", dashes = "path://M0,0h4v2h-4zM6,0h4v2h-4zM12,0h4v2h-4z";
    for (const l of o.legend) {
      l.data = l.data.map((name) => {
        const s = o.series.find((s) => s.name === name);
        return s && s.type === "line" ? { name, icon: s.lineStyle.type === "dashed" ? dashes : line } : name;
      });
    }
    for (const s of o.series) {
      if (quiet[s.color]) for (const part of [s.itemStyle, s.lineStyle, s]) if (part) part.color = c.shade(part.color);
      if (s.type === "scatter" && c.dark && s.itemStyle) s.itemStyle.opacity = 1; // a dark page that shines through makes dots dim
      if (s.color === mark) for (const part of [s, s.itemStyle, s.lineStyle]) part.color = c.text;
      if (s.type === "scatter" && s.data.some((d) => d.side)) {
        s.label = { show: true, formatter: (q) => q.data.name, color: c.text, fontSize: 11 };
        s.labelLayout = { hideOverlap: true };
        for (const d of s.data) {
          const [up, across] = d.side.split(" ");
          d.label = !across ? { position: d.side } : across === "left" ? { position: [-4, up === "upper" ? -10 : 7], align: "right" } : { position: [12, up === "upper" ? -10 : 7] };
        }
      }
      if (s.type === "line" && page.panels[s.xAxisIndex || 0].grid) {
        s.silent = true; // what lies under it is what hovering tells
        const { scale } = page.panels[s.xAxisIndex || 0], turned = { "#000000": "#FFFFFF", "#FFFFFF": "#000000" }[s.color];
        if (c.dark && scale && scale.dark && turned) for (const part of [s, s.itemStyle, s.lineStyle]) if (part) part.color = turned; // light and dark change places under it
      }
      if (s.type !== "custom") continue;
      const lanes = o.yAxis[s.yAxisIndex || 0].type === "category", of = page.panels[s.xAxisIndex || 0];
      s.clip = true;
      if (of.mesh) {
        state.surface = surface(of);
        state.order = state.surface.order();
        s.id = "surface";
        s.data = state.order;
        s.renderItem = state.surface.draw(() => state.order, c);
        s.encode = { tooltip: [] };
        s.clip = false;
        continue;
      }
      if (of.grid) {
        if (of.scale) of.scale.colors = c.dark && of.scale.dark || of.scale.colors.map(c.shade);
        s.renderItem = picture(of.grid, of.scale);
        s.encode = { x: [0, 1], y: [2, 3], tooltip: [] };
        continue;
      }
      s.renderItem = rectangle({ lanes, stack: s.stack, ink, back: c.back, names: s.data.map((d) => d.name), keys: s.data.map((d) => d.key) }, s.color);
      s.encode = { x: [0, 1], y: lanes ? [] : [2, 3], tooltip: [] };
    }
    if (page.player) { // what the cursor has not come to is covered
      state.at = page.player.steps.length;
      page.panels.forEach((p, i) => o.series.push({
        type: "custom", id: "cover" + i, xAxisIndex: i, yAxisIndex: i, silent: true, z: 50, clip: true, data: [[0]], encode: { x: [], y: [], tooltip: [] }, tooltip: { show: false },
        renderItem: (params, api) => {
          const box = params.coordSys, x = Math.min(Math.max(api.coord([state.at, 0])[0], box.x), box.x + box.width);
          return { type: "group", children: [
            { type: "rect", silent: true, shape: { x, y: box.y, width: box.x + box.width - x, height: box.height }, style: { fill: c.back, opacity: c.dark ? 0.6 : 0.85 } }, // dark colours on a dark page are soon not seen
            { type: "line", silent: true, shape: { x1: x, x2: x, y1: box.y, y2: box.y + box.height }, style: { stroke: c.text, lineWidth: state.at < page.player.steps.length ? 1.5 : 0 } }] };
        },
      }));
    }
    const graphic = bars(page, c);
    if (graphic.length) o.graphic = graphic;
    const axes = o.xAxis.map((_, i) => i);
    // echarts' own zoom by the wheel swallows it, whatever key is held, and the notebook would not scroll over a chart. These are
    // disabled, for wheel to set; panels with the same axis zoom together.
    const still = (which) => ({ type: "inside", disabled: true, filterMode: "none", ...which });
    if (!state.surface) o.dataZoom = page.linked ? [still({ xAxisIndex: axes })] : axes.map((i) => still({ xAxisIndex: i }));
    if (dots && !state.surface) o.dataZoom.push(...axes.map((i) => still({ yAxisIndex: i })));
    o.axisPointer = page.linked ? { link: [{ xAxisIndex: "all" }] } : {};
    o.toolbox = {
      right: 12, top: -8, itemSize: 13, iconStyle: { borderColor: c.soft }, // beside the title: echarts keeps 16 pixels above for their names
      feature: {
        dataZoom: { emphasis: { iconStyle: { borderColor: c.text } }, show: !state.surface, xAxisIndex: axes, yAxisIndex: dots ? undefined : false, filterMode: "none", title: { zoom: "zoom: drag over a range, or Ctrl and the wheel; double-click for the whole", back: "zoom back" } },
        restore: { title: "whole chart" },
        saveAsImage: { title: "save as PNG", backgroundColor: c.back, name: "chart" },
      },
    };
    o.tooltip = Object.assign(o.tooltip || {}, {
      formatter: tip(page, state), confine: true, backgroundColor: c.back, borderColor: c.line, textStyle: { color: c.text, fontSize: 12 },
      axisPointer: { type: "line", lineStyle: { color: c.line } },
    });
    return o;
  }

  const pen = document.createElement("canvas").getContext("2d");
  function measured(text, style) {
    pen.font = (style.fontWeight || "normal") + " " + style.fontSize + "px 'Liberation Sans', Arial, Helvetica, sans-serif";
    return pen.measureText(text).width;
  }

  // broken breaks a text between words where it is wider than room.
  function broken(text, room, style) {
    const lines = [];
    for (const word of text.split(/\s+/)) {
      const longer = lines.length ? lines[lines.length - 1] + " " + word : word;
      if (lines.length && measured(longer, style) <= room) lines[lines.length - 1] = longer;
      else lines.push(word);
    }
    return lines;
  }

  // fit lays a chart out for a width, which the page's own layout knows nothing of: the title and what stands below it break into
  // lines, legends wrap, and what lies below moves down; plots side by side become narrower.
  function fit(page, width) {
    const o = page.option, edge = 12, tools = 116, moves = []; // [from where on, by how much]
    o.title.forEach((t, i) => {
      if (i > 1 || t.right !== undefined || +t.top > 40) return;
      const style = t.textStyle = { fontSize: 12, ...t.textStyle }, was = t.text.split("\n"), room = width - t.left - edge - (+t.top < 24 ? tools : 0);
      const lines = broken(was.join(" "), room, style);
      t.text = lines.join("\n");
      if (lines.length > 1) style.lineHeight = Math.round(1.25 * style.fontSize);
      moves.push([+t.top, (lines.length - was.length) * Math.round(1.25 * style.fontSize)]);
    });
    const words = { fontSize: 12 }, key = (name) => 16 + 5 + measured(name, words);
    const fixed = o.grid.filter((g) => g.width), lefts = [...new Set(fixed.map((g) => +g.left))].sort((a, b) => a - b);
    let right = width - edge; // of plots
    for (const l of o.legend) {
      if (l.orient && width < (lefts.length > 1 ? 700 : 600)) { // above the plots, which need the room beside
        const top = lefts.length > 1 ? Math.min(...o.grid.map((g) => +g.top)) : +l.top + 5; // of the plots that it explains
        const named = o.title.some((t, i) => i > 0 && +t.top === top - 22); // the plot has a heading
        Object.assign(l, { left: "7", top: String(top - (named ? 30 : 10)) });
        for (const k of ["orient", "right", "align"]) delete l[k];
        moves.push([+l.top, 26]);
        for (const g of o.grid) if (!g.width) g.right = String(edge + 12);
      }
      if (l.orient) {
        right -= Math.max(...l.data.map(key)) + 12;
        continue;
      }
      if (Math.max(...l.data.map(key)) > width - l.left - edge) l.left = "7"; // not below the plots' edge, but the chart's
      const room = width - l.left - edge;
      let lines = 1, at = 0;
      for (const name of l.data) {
        if (at > 0 && at + key(name) > room) { lines++; at = 0; }
        at += key(name) + 14;
      }
      l.width = room;
      moves.push([+l.top, (lines - 1) * 28]);
    }
    o.grid.forEach((g, i) => { // the name of a lone plot's axis
      if (g.width || !o.xAxis[i].name) return;
      const lines = broken(o.xAxis[i].name, width - g.left - (g.right || edge), words);
      o.xAxis[i].name = lines.join("\n");
      moves.push([+g.top, 14 * (lines.length - 1)]);
    });
    o.grid.forEach((g, i) => { // names below a plot stand upright where they would lie on each other
      const names = page.panels[i].x.names || [], wide = g.width ? Math.min(+g.width, width - g.left - 90) : width - g.left - (g.right || edge);
      const longest = Math.max(0, ...names.map((name) => measured(name, { fontSize: 11 })));
      if (!names.length || longest < wide / names.length - 4) return;
      page.panels[i].x.upright = true;
      o.xAxis[i].nameGap = (o.xAxis[i].nameGap || 26) + longest - 10;
      moves.push([+g.top, longest - 10]);
    });
    const rights = o.title.filter((t) => t.right !== undefined && o.title.some((l) => l.right === undefined && l.top === t.top && +l.left + measured(l.text, words) + measured(t.text, words) > width - t.right - 10));
    for (const t of rights) moves.push([+t.top - 1, 15]); // the name of the right axis goes above that of the left one
    const down = (top) => moves.reduce((sum, [from, by]) => (+top > from ? sum + by : sum), 0);
    const all = moves.reduce((sum, [, by]) => sum + by, 0);
    for (const e of [...o.title, ...o.legend, ...o.grid]) if (e.top !== undefined) e.by = down(e.top);
    for (const t of rights) t.by -= 15;
    for (const e of [...o.title, ...o.legend, ...o.grid]) if (e.by) e.top = String(+e.top + e.by);
    page.height += all;
    page.width = width;
    if (!fixed.length) return;
    const first = lefts[0], begin = lefts.length > 1 ? Math.min(first, Math.round(0.45 * width)) : first; // names of lanes give way too
    if (begin < first) page.nameRoom = begin - edge - 8;
    const end = Math.max(...fixed.map((g) => +g.left + +g.width)), scaled = page.panels.some((p) => p.scale && !p.scale.hidden);
    const by = Math.min(1, (right - begin - (scaled ? 64 : 0)) / (end - first));
    const place = (x) => String(Math.round(begin + (+x - first) * by));
    let deeper = 0;
    o.grid.forEach((g, i) => {
      if (!g.width) return;
      const next = lefts.find((x) => x > +g.left), pitch = ((next || +g.left + Math.max(+g.width, 100)) - g.left) * by, name = o.xAxis[i].name;
      if (name && lefts.length > 1) {
        const lines = broken(name, pitch - 8, words);
        o.xAxis[i].name = lines.join("\n");
        deeper = Math.max(deeper, lines.length - 1);
      }
    });
    const heads = []; // of plots side by side: over several lines where they are narrow
    for (const t of o.title) if ((by < 1 || begin < first) && +t.left >= first && +t.top > 40) {
      const at = lefts.findIndex((x) => x === +t.left);
      if (lefts.length > 1 && at >= 0) {
        const room = ((lefts[at + 1] || end) - lefts[at]) * by - 4, lines = broken(t.text, room, words);
        t.text = lines.join("\n");
        t.textStyle = { ...t.textStyle, width: room, overflow: "truncate", lineHeight: 14 };
        heads.push([t, lines.length]);
      }
      t.left = place(t.left);
    }
    const higher = 14 * (Math.max(1, ...heads.map(([, n]) => n)) - 1);
    for (const [t, n] of heads) t.top = String(+t.top + higher - 14 * (n - 1)); // they end on one line
    for (const g of fixed) { g.width = String(Math.max(20, Math.round(+g.width * by))); g.left = place(g.left); g.top = String(+g.top + higher); }
    page.height += deeper * 14 + higher;
  }

  // wheel zooms the panel under the pointer while Ctrl is held, around the pointer: dataZoom number i is that of x, or the only
  // one, those of y come after them.
  function wheel(page, chart, e) {
    const at = [e.offsetX, e.offsetY], i = page.panels.findIndex((_, k) => chart.containPixel({ gridIndex: k }, at));
    if (!e.event.ctrlKey || i < 0) return;
    e.event.preventDefault();
    const g = page.option.grid[i], left = +g.left, wide = g.width ? +g.width : chart.getWidth() - left - g.right;
    const shares = [[page.linked ? 0 : i, (at[0] - left) / wide], [(page.linked ? 1 : page.panels.length) + i, 1 - (at[1] - g.top) / g.height]];
    const down = page.option.yAxis[i].inverse, ours = page.option.dataZoom.length, now = chart.getOption().dataZoom;
    const batch = shares.filter(([k]) => k < ours).map(([dataZoomIndex, f], axis) => {
      const { start, end } = now[dataZoomIndex], middle = start + (axis && down ? 1 - f : f) * (end - start), by = Math.pow(1.2, -e.wheelDelta);
      return { dataZoomIndex, start: Math.max(0, middle - (middle - start) * by), end: Math.min(100, middle + (end - middle) * by) };
    });
    chart.dispatchAction({ type: "dataZoom", batch });
  }

  const part = (el, name) => el.querySelector(".arrayrepl-" + name);

  function show(el, ok) {
    el.dataset.live = ok ? "1" : "0";
    part(el, "live").style.display = ok ? "block" : "none";
    part(el, "picture").style.display = ok ? "none" : "";
    part(el, "missing").style.display = ok ? "none" : "";
  }

  // revive makes functions of the texts that go-echarts has marked as such, under the keys of echarts that take functions and
  // hold no data.
  const functions = new Set(["renderItem", "formatter", "valueFormatter", "labelFormatter", "symbolSize", "animationDelay", "animationDuration", "animationDelayUpdate", "animationDurationUpdate"]);
  function revive(o) {
    for (const [k, v] of Object.entries(o)) {
      const code = functions.has(k) && typeof v === "string" && /^__f__([^]*)__f__$/.exec(v);
      if (code) o[k] = new Function("echarts", "return (" + code[1] + ")")(echarts);
      else if (v && typeof v === "object") revive(v);
    }
    return o;
  }

  // drawRaw draws an option of go-echarts as it is, in light or dark colours.
  function drawRaw(el, place, page) {
    const [r, g, b] = getComputedStyle(el).color.match(/[\d.]+/g).map(Number);
    const chart = echarts.init(place, 299 * r + 587 * g + 114 * b > 140000 ? "dark" : null);
    live.set(el, chart);
    chart.setOption(revive(Object.assign({ backgroundColor: "transparent" }, page.raw)));
  }

  const dataOf = (el) => JSON.parse(el.querySelector('script[type="application/json"]').textContent);

  // laidOut is what of a page's layout depends on the width, but for what echarts itself fits into it.
  const laidOut = (page) => JSON.stringify([page.height, page.nameRoom, page.option.title, page.option.grid, page.option.legend.map((l) => [l.left, l.top, l.orient]),
    page.option.xAxis.map((a) => [a.name, a.nameGap]), page.panels.map((p) => p.x.upright)]);

  // refit gives a chart another width: it is drawn again only where its layout changes, and then it is where it was.
  function refit(el, chart, page, width) {
    const now = dataOf(el);
    fit(now, width);
    if (laidOut(now) !== page.layout) return draw(el, chart.arrayreplPlace());
    page.width = width;
    chart.resize();
    chart.setOption({ legend: now.option.legend.map((l) => ({ width: l.width })) });
  }

  function draw(el, was) {
    drop(el);
    try {
      const page = dataOf(el);
      show(el, true);
      const place = part(el, "live");
      if (!page.raw) {
        fit(page, place.clientWidth);
        page.layout = laidOut(page);
      }
      place.style.height = page.height + "px";
      if (page.raw) return drawRaw(el, place, page);
      const chart = echarts.init(place);
      live.set(el, chart);
      const state = { chart, pointer: [0, 0] };
      chart.getZr().on("mousemove", (e) => { state.pointer = [e.offsetX, e.offsetY]; });
      chart.setOption(styled(page, el, state));
      if (!state.surface) chart.getZr().on("mousewheel", (e) => wheel(page, chart, e));
      const zoomed = [["xAxis", true], ["yAxis", page.option.toolbox.feature.dataZoom.yAxisIndex !== false]].filter(([, zooms]) => zooms);
      const ticks = (whole) => Object.fromEntries(zoomed.map(([axis]) => [axis, page.option[axis].map((a) => {
        if (!a.axisLabel.customValues) return {};
        if (whole) return { axisLabel: { customValues: a.axisLabel.customValues, formatter: a.axisLabel.formatter, showMinLabel: null, showMaxLabel: null }, axisTick: a.axisTick };
        // The ends of a zoomed range are raw numbers, which get no label.
        return { axisLabel: { customValues: null, formatter: a.type === "value" ? number : null, showMinLabel: a.type === "value" ? false : null, showMaxLabel: a.type === "value" ? false : null }, axisTick: { customValues: null } };
      })]));
      chart.on("datazoom", () => chart.setOption(ticks(false)));
      chart.on("restore", () => chart.setOption(ticks(true)));
      const zoom = () => state.surface || chart.dispatchAction({ type: "takeGlobalCursor", key: "dataZoomSelect", dataZoomSelectActive: true });
      zoom(); // dragging zooms without a click on the tool before
      chart.getZr().on("dblclick", () => { chart.dispatchAction({ type: "restore" }); zoom(); });
      const keyed = (s) => Array.isArray(s.data) && s.data.some((d) => d && d.key !== undefined);
      if (page.kernel !== undefined) chart.arrayreplPick = () => { el.style.opacity = picked === null || picked === page.kernel ? "" : 0.35; };
      else if (page.option.series.some(keyed)) chart.arrayreplPick = () => chart.setOption({ series: page.option.series.map((s) => (keyed(s) ? { data: s.data.map((d) => ({ ...d, itemStyle: { opacity: opacity(d.key) } })) } : {})) });
      if (chart.arrayreplPick && picked !== null) chart.arrayreplPick();
      chart.on("click", (e) => { const key = e.data && e.data.key; if (key !== undefined) pick(key === picked ? null : key); });
      chart.getZr().on("click", (e) => { if (!e.target && picked !== null) pick(null); });
      state.leave = () => {};
      chart.arrayreplRefit = (width) => refit(el, chart, page, width);
      chart.arrayreplPlace = () => ({ zoom: (chart.getOption().dataZoom || []).map((z) => [z.start, z.end]), at: state.place && state.place(), mesh: state.surface && page.panels[0].mesh.zoom });
      chart.arrayreplLeave = () => state.leave();
      if (page.player) {
        const { steps, lines, lanes, tables } = page.player;
        controls(el, state, {
          play: tables ? "step through the states" : "step through the instructions", name: tables ? "state" : "instruction",
          min: tables ? 1 : 0, max: steps.length, value: tables ? 1 : steps.length, by: 1, every: tables ? 400 : 160,
          table: tables && ((n) => tables[n - 1]), rows: tables && Math.min(30, Math.max(...tables.map((t) => t.split("\n").length))),
          show: (n) => {
            state.at = n;
            chart.setOption({ series: page.panels.map((_, i) => ({ id: "cover" + i, data: [[n]] })) });
            if (tables) return n + " of " + steps.length + ": " + lines[steps[n - 1].l];
            const s = steps[n - 1];
            return s ? n + " of " + steps.length + ": " + s.a + " of " + s.n + " lanes  " + lines[s.l] : "before the first of " + steps.length + " instructions of " + lanes + " lanes";
          },
        });
      }
      if (state.surface) {
        const mesh = page.panels[0].mesh, again = () => chart.setOption({ series: [{ id: "surface", data: state.order = state.surface.order() }] });
        chart.getZr().on("mousewheel", (e) => {
          if (!e.event.ctrlKey) return;
          e.event.preventDefault();
          mesh.zoom = Math.min(8, Math.max(0.5, (mesh.zoom || 1) * Math.pow(1.1, e.wheelDelta)));
          again();
        });
        chart.on("restore", () => { mesh.zoom = 1; again(); });
        controls(el, state, {
          play: "turn the surface", name: "turn", min: 0, max: 360, value: mesh.turn, by: 3, every: 60, round: true,
          show: (n) => {
            mesh.turn = n;
            again();
            return "turned by " + n + "°";
          },
        });
      }
      if (was) { // where it was before it was drawn anew
        if (was.mesh !== undefined) page.panels[0].mesh.zoom = was.mesh;
        if (was.at !== undefined && state.go) state.go(was.at);
        const batch = was.zoom.map(([start, end], dataZoomIndex) => ({ dataZoomIndex, start, end })).filter((z) => z.start > 0 || z.end < 100);
        if (batch.length) chart.dispatchAction({ type: "dataZoom", batch });
      }
    } catch (err) {
      drop(el);
      show(el, false);
      console.error("arrayrepl: a chart could not be drawn; its static picture stands in", err);
    }
  }

  function drop(el) {
    const chart = live.get(el);
    if (chart) { live.delete(el); if (chart.arrayreplLeave) chart.arrayreplLeave(); chart.dispose(); }
  }

  // Notebooks put outputs into hidden tabs and take those out of the page that are scrolled away: a chart is drawn when it
  // has a width, and let go with its output.
  const sizes = new ResizeObserver((entries) => {
    requestAnimationFrame(() => { // not inside the observer: drawing changes sizes
      for (const { target: el } of entries) {
        if (!el.isConnected) drop(el);
        else if (el.clientWidth > 0 && !live.has(el)) draw(el);
        else if (el.clientWidth > 0 && live.get(el).getWidth() !== part(el, "live").clientWidth) {
          const chart = live.get(el);
          if (chart.arrayreplRefit) chart.arrayreplRefit(part(el, "live").clientWidth);
          else chart.resize();
        }
      }
    });
  });

  let redraw = 0;
  new MutationObserver(() => { // the page changed its theme
    clearTimeout(redraw);
    redraw = setTimeout(() => { for (const [el, chart] of [...live]) if (el.clientWidth > 0) draw(el, chart.arrayreplPlace && chart.arrayreplPlace()); }, 100);
  }).observe(document.body, { attributes: true, attributeFilter: ["class", "data-jp-theme-name", "data-jp-theme-light", "data-vscode-theme-kind"] });

  // A page made for print, as nbconvert's webpdf makes one, keeps the pictures: they are sharp at any size, and a page that is
  // printed while its charts grow loses what comes after them.
  const print = window.matchMedia("print").matches;
  const take = (el) => {
    el.dataset.live = "1";
    if (print) part(el, "missing").style.display = "none"; // nothing is
    else sizes.observe(el);
  };
  const waiting = window.arrayreplCharts[key] || [];
  window.arrayreplCharts[key] = { push: take, ready: true };
  waiting.forEach(take);
})
