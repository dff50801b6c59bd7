// A kernel behind a Jupyter server, as JupyterLab and VS Code (an existing server) use it, through @jupyterlab/services.
//
//   node server.mjs URL TOKEN KERNEL_NAME
import assert from "node:assert/strict";
import { KernelManager, KernelSpecManager, ServerConnection } from "@jupyterlab/services";
import WebSocket from "ws";
import { outputs, tryKernel } from "./cells.mjs";

const [baseUrl, token, name] = process.argv.slice(2);
const serverSettings = ServerConnection.makeSettings({ baseUrl, wsUrl: baseUrl.replace("http", "ws"), token, appendToken: true, WebSocket });

const specs = new KernelSpecManager({ serverSettings });
await specs.ready;
assert.ok(specs.specs.kernelspecs[name], Object.keys(specs.specs.kernelspecs).join());

const kernels = new KernelManager({ serverSettings });
const kernel = await kernels.startNew({ name });
await tryKernel(kernel);

await kernel.restart(); // begins with empty memory
await kernel.info;
assert.match((await outputs(kernel, "x")).reply.evalue, /undefined: x/);
await kernel.shutdown();
console.log("server: ok");
process.exit(0);
