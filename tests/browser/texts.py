"""What a canvas has written, and what of it lies on other texts or outside. Load TEXTS before the page's own scripts."""

# It keeps, for each canvas, the boxes of the texts that were written since it was last cleared.
TEXTS = """(() => {
  const P = CanvasRenderingContext2D.prototype, write = P.fillText, clear = P.clearRect, stroke = P.stroke;
  P.clearRect = function (x, y, w, h) {
    if (w >= this.canvas.width / 4) { this.canvas.texts = []; this.canvas.tools = []; }
    return clear.apply(this, arguments);
  };
  // The tools are the only lines that are drawn around a place of their own at the top right, 13 pixels wide: dots of a series are
  // drawn so too, where its first value is its largest at the left.
  P.stroke = function () {
    const m = this.getTransform(), half = 7 * m.a;
    if (m.e > this.canvas.width - 100 * m.a && m.f > 0 && m.f < 60 * m.a) (this.canvas.tools = this.canvas.tools || []).push({ x: m.e - half, y: m.f - half, w: 2 * half, h: 2 * half });
    return stroke.apply(this, arguments);
  };
  P.fillText = function (s, x, y) {
    const m = this.getTransform(), wide = this.measureText(s).width, high = parseFloat(/([\\d.]+)px/.exec(this.font)[1]);
    const left = x - wide * ({ center: 0.5, right: 1, end: 1 }[this.textAlign] ?? 0);
    const top = y - high * ({ middle: 0.5, top: 0, bottom: 1 }[this.textBaseline] ?? 0.8);
    const at = [[left, top], [left + wide, top], [left, top + high], [left + wide, top + high]].map(([a, b]) => [m.a * a + m.c * b + m.e, m.b * a + m.d * b + m.f]);
    const xs = at.map((p) => p[0]), ys = at.map((p) => p[1]);
    (this.canvas.texts = this.canvas.texts || []).push({ s, x: Math.min(...xs), y: Math.min(...ys), w: Math.max(...xs) - Math.min(...xs), h: Math.max(...ys) - Math.min(...ys), seen: this.globalAlpha > 0.05 });
    return write.apply(this, arguments);
  };
})()"""

BAD = """c => [...c.querySelectorAll('canvas')].flatMap((k) => {
  const texts = (k.texts || []).filter((t) => t.seen && t.s.trim()), bad = [];
  const over = (a, b) => [Math.min(a.x + a.w, b.x + b.w) - Math.max(a.x, b.x), Math.min(a.y + a.h, b.y + b.h) - Math.max(a.y, b.y)];
  if (!k.tools || !k.tools.length) bad.push('no tools');
  for (const t of k.tools || []) for (const a of texts) {
    const [x, y] = over(a, t);
    if (x > 1 && y > 2) bad.push('a tool lies on ' + a.s);
  }
  if (!texts.length) bad.push('no text at all');
  texts.forEach((a, i) => {
    if (a.x < -1 || a.y < -2 || a.x + a.w > k.width + 1 || a.y + a.h > k.height + 2) bad.push('cut: ' + a.s);
    for (const b of texts.slice(i + 1)) {
      const [x, y] = over(a, b);
      if (x > 2 && y > 3) bad.push(a.s + ' lies on ' + b.s);
    }
  });
  return bad;
})"""
