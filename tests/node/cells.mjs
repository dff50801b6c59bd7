// The cells that every client here runs, and what it must get for them.
import assert from "node:assert/strict";

// outputs runs code and returns the reply's content and what was published, with the types of all messages.
export async function outputs(kernel, code, onMessage = () => {}) {
  const future = kernel.requestExecute({ code, allow_stdin: true });
  const out = [];
  future.onIOPub = (m) => { out.push(m); onMessage(m); };
  future.onStdin = (m) => kernel.sendInputReply({ value: "typed", status: "ok" }, m.header);
  const reply = await future.done;
  return { reply: reply.content, out, types: out.map((m) => m.header.msg_type) };
}

export async function tryKernel(kernel) {
  const info = await kernel.info;
  assert.equal(info.language_info.name, "go");
  assert.equal(info.protocol_version, "5.5");

  let r = await outputs(kernel, "x := 41\nfmt.Println(x)\nx + 1");
  assert.deepEqual(r.types, ["status", "execute_input", "stream", "execute_result", "status"]);
  assert.equal(r.out[2].content.text, "41\n");
  assert.equal(r.out[3].content.data["text/plain"], "42");

  r = await outputs(kernel, "x + nosuch");
  assert.equal(r.reply.status, "error");
  assert.match(r.reply.evalue, /undefined: nosuch/);

  // A chart is a display with all of its forms, as far as a client may choose among them.
  r = await outputs(kernel, "viz.Line(nil, []float64{1, 3, 2})");
  const forms = Object.keys(r.out.find((m) => m.header.msg_type === "execute_result").content.data);
  assert.deepEqual(forms.sort(), ["image/png", "image/svg+xml", "text/html", "text/plain"]);

  const complete = (await kernel.requestComplete({ code: "np.Lins", cursor_pos: 7 })).content;
  assert.ok(complete.matches.some((m) => m.includes("Linspace")), JSON.stringify(complete.matches));
  const inspect = (await kernel.requestInspect({ code: "np.Linspace", cursor_pos: 11, detail_level: 0 })).content;
  assert.ok(inspect.found && inspect.data["text/plain"].includes("func np.Linspace"), JSON.stringify(inspect));
  assert.equal((await kernel.requestIsComplete({ code: "for {" })).content.status, "incomplete");

  r = await outputs(kernel, 'var word string\nfmt.Scan(&word)\nword + "!"');
  assert.equal(r.out.at(-2).content.data["text/plain"], "typed!");

  // Cells wait for their turn; an interrupt ends the first, and the state is kept.
  const loop = outputs(kernel, "for { }", (m) => {
    if (m.header.msg_type === "execute_input") setTimeout(() => kernel.interrupt(), 200);
  });
  assert.equal((await loop).reply.ename, "Interrupted");
  assert.equal((await outputs(kernel, "x")).out.at(-2).content.data["text/plain"], "41");

  // A widget's comm is opened by the kernel, and the client's end of it answers.
  const opened = [];
  kernel.registerCommTarget("jupyter.widget", (comm, m) => opened.push(m.content.data.state._model_name));
  r = await outputs(kernel, "widgets.Interact(func(n int) any { return n }, widgets.IntRange(\"n\", 0, 10, 1))");
  assert.ok(opened.includes("IntSliderModel"), opened.join() + JSON.stringify(r.reply));

  await assert.rejects(async () => {
    const { reply } = await outputs(kernel, 'panic("on purpose")');
    throw new Error(reply.evalue);
  }, /on purpose/);
}
