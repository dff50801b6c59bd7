// A kernel as VS Code runs it without a server: started from its kernelspec, spoken to through the zeromq package, with
// @jupyterlab/services on top, whose websocket is replaced by one that puts messages on sockets.
//
//   node rawkernel.mjs KERNEL_DIRECTORY
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createHmac, randomUUID } from "node:crypto";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { KernelConnection, ServerConnection } from "@jupyterlab/services";
import * as zmq from "zeromq";
import { tryKernel } from "./cells.mjs";

const spec = JSON.parse(readFileSync(join(process.argv[2], "kernel.json"), "utf8"));
assert.equal(spec.interrupt_mode, "message");

async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((done) => server.once("listening", done));
  const { port } = server.address();
  await new Promise((done) => server.close(done));
  return port;
}

const connection = { transport: "tcp", ip: "127.0.0.1", key: randomUUID(), signature_scheme: "hmac-sha256" };
for (const name of ["shell", "control", "stdin", "iopub", "hb"]) connection[`${name}_port`] = await freePort();
const file = join(mkdtempSync(join(tmpdir(), "rawkernel-")), "connection.json");
writeFileSync(file, JSON.stringify(connection));
const argv = spec.argv.map((a) => a.replace("{connection_file}", file));
const child = spawn(argv[0], argv.slice(1), { stdio: "inherit", env: { ...process.env, ...spec.env } });
const ended = new Promise((done) => child.once("exit", done));

const sign = (parts) => {
  const mac = createHmac("sha256", connection.key);
  for (const p of parts) mac.update(p);
  return mac.digest("hex");
};

let made;

// RawSocket is a WebSocket to @jupyterlab/services and five sockets to the kernel.
class RawSocket {
  static OPEN = 1;
  readyState = 0;
  protocol = "";
  onopen = () => {};
  onmessage = () => {};
  onclose = () => {};
  onerror = () => {};

  constructor() {
    made = this;
    const routingId = randomUUID(); // one identity on all sockets: replies to input find their cell by it
    this.sockets = {
      shell: new zmq.Dealer({ routingId, linger: 0 }), control: new zmq.Dealer({ routingId, linger: 0 }),
      stdin: new zmq.Dealer({ routingId, linger: 0 }), iopub: new zmq.Subscriber({ linger: 0 }),
    };
    for (const [name, socket] of Object.entries(this.sockets)) {
      socket.connect(`tcp://127.0.0.1:${connection[`${name}_port`]}`);
      if (name === "iopub") socket.subscribe();
      this.read(name, socket);
    }
  }

  // read hands on what comes on one socket. The welcome on iopub says that from here on nothing is missed.
  async read(channel, socket) {
    for await (const frames of socket) {
      const at = frames.findIndex((f) => f.toString() === "<IDS|MSG>");
      const [header, parent, metadata, content] = frames.slice(at + 2, at + 6);
      assert.equal(frames[at + 1].toString(), sign([header, parent, metadata, content]), "the kernel's signature");
      const msg = {
        channel, header: JSON.parse(header), parent_header: JSON.parse(parent), metadata: JSON.parse(metadata), content: JSON.parse(content),
        buffers: frames.slice(at + 6),
      };
      if (msg.header.msg_type === "iopub_welcome") {
        this.readyState = 1;
        this.onopen({ target: this });
      } else {
        this.onmessage({ data: JSON.stringify(msg), target: this });
      }
    }
  }

  send(data) {
    const m = JSON.parse(data);
    const parts = [m.header, m.parent_header, m.metadata, m.content].map((p) => JSON.stringify(p));
    this.sockets[m.channel].send(["<IDS|MSG>", sign(parts), ...parts]);
  }

  close() {
    this.readyState = 3;
    for (const s of Object.values(this.sockets)) s.close();
  }
}

const kernel = new KernelConnection({
  model: { id: randomUUID(), name: "raw" }, username: "node", clientId: randomUUID(), handleComms: true,
  serverSettings: ServerConnection.makeSettings({ WebSocket: RawSocket, appendToken: false, wsUrl: "ws://raw", baseUrl: "http://raw" }),
});
const control = (type) => {
  const header = { msg_id: randomUUID(), msg_type: type, session: kernel.clientId, username: "node", date: new Date().toISOString(), version: "5.3" };
  made.send(JSON.stringify({ channel: "control", header, parent_header: {}, metadata: {}, content: type === "shutdown_request" ? { restart: false } : {} }));
};
kernel.interrupt = async () => control("interrupt_request"); // which otherwise is the server's business

process.once("exit", () => child.kill());
await tryKernel(kernel);
control("shutdown_request");
assert.equal(await ended, 0, "the kernel's exit");
console.log("raw kernel: ok");
process.exit(0);
