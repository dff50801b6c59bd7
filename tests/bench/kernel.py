"""Kernels side by side through jupyter_client: start, latency, output, notebooks, interrupts, memory.

    python tests/bench/kernel.py arrayrepl=BINARY gophernotes=BINARY gonb=BINARY floor=BINARY [--only start,latency]
    python tests/bench/kernel.py --times BASE HERE

The second prints what tests/bench/paired compares, of two binaries of arrayrepl that take turns: a row's name, and for each the
milliseconds of the median, with tabs between them.

"cells" is what make bench-interp asks for: what cells cost in a session that has run many, and what they keep.

ipykernel, of the Python that runs this, is always among them. All kernels live at once and take turns, so that a busy moment
of the machine hits all of them; what is printed are medians. The bars are this project's own aims for arrayrepl. A kernel
called "floor" (tests/bench/floor) runs nothing and answers at once: what it takes is the client's and the sockets', and no
kernel can take less. A verdict says where the floor lies.
"""
import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import nbformat
import psutil
import zmq
from jupyter_client import KernelManager
from jupyter_client.connect import write_connection_file
from jupyter_client.session import Session
from nbclient import NotebookClient

TIMEOUT = 120
MORE = 1  # times as many runs of what takes turns
QUIET = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}  # gonb logs every cell

# gomacro, which gophernotes runs cells with, cannot read the export data of Go 1.18 and later. Where it finds no Go at all it
# goes by reflection instead, and starts.
ENV = {"gophernotes": {"GOROOT": "/nonexistent", "PATH": "/usr/bin:/bin"}}

GO = {
    "expr": "1 + 1",
    "lines": 'for i := 0; i < 10000; i++ { fmt.Println("line", i) }',
    "long": 'fmt.Print(strings.Repeat("x", 10000000) + "\\n")',
    "import": 'import ("fmt"; "strings")',
    "set": "kept := 41",
    "get": "kept",
    "loop": "for { }",
    "trivial": "x := 1",
    "probe": "func probe(n int) int { return f1(n) }\nprobe(3)",
    "array": "big := make([]float64, 10000000)\nfor i := 0; i < len(big); i++ { big[i] = 1 }",
    "free": "big = nil",
    "collect": 'import "runtime/debug"\ndebug.FreeOSMemory()',
}
CELLS = {
    "arrayrepl": GO,
    "gophernotes": GO | {"loop": "for x := 0; ; x++ { }"},
    # gonb builds a program for each cell; %% begins its main function. Nothing is shown that is not printed, no value lives on.
    "gonb": {
        "expr": "import \"fmt\"\n%%\nfmt.Println(1 + 1)",
        "lines": 'import "fmt"\n%%\nfor i := 0; i < 10000; i++ { fmt.Println("line", i) }',
        "long": 'import ("fmt"; "strings")\n%%\nfmt.Print(strings.Repeat("x", 10000000) + "\\n")',
        "import": "%version", "set": "var kept = 41", "get": 'import "fmt"\n%%\nfmt.Println(kept)', "loop": "%%\nfor { }",
        "probe": 'import "fmt"\nfunc probe(n int) int { return f1(n) }\n%%\nfmt.Println(probe(3))',
    },
    "floor": {"expr": "1 + 1", "import": "1 + 1"},
    "ipykernel": {
        "expr": "1 + 1",
        "lines": "for i in range(10000): print('line', i)",
        "long": "print('x' * 10000000)",
        "import": "import sys", "set": "kept = 41", "get": "kept", "loop": "while True: pass",
        "trivial": "x = 1",
        "probe": "def probe(n): return f1(n)\nprobe(3)",
        "array": "big = bytearray(b'x') * 80000000", "free": "big = None",
        "collect": "import gc\ngc.collect()",
    },
}


def declaration(name, i):
    """The i-th of the cells that make a session long: a type with a method, and a function that uses it."""
    if name == "ipykernel":
        return f"class T{i}:\n    def __init__(self, a, b): self.a, self.b = a, b\n    def sum(self): return self.a + self.b\ndef f{i}(n): return T{i}(n, n).sum()"
    return f"type T{i} struct {{ a, b int }}\nfunc (t T{i}) Sum() int {{ return t.a + t.b }}\nfunc f{i}(n int) int {{ return T{i}{{n, n}}.Sum() }}"


def now():
    return time.perf_counter() * 1000  # ms


class Kernel:
    """One kernel with a blocking client."""

    def __init__(self, name):
        self.name, self.cells = name, CELLS.get(name, GO)
        self.km = KernelManager(kernel_name=name)
        self.km.start_kernel(**QUIET)
        self.kc = self.km.blocking_client()
        self.kc.start_channels()
        self.kc.wait_for_ready(timeout=TIMEOUT)

    def send(self, code):
        return self.kc.execute(code)

    def wait(self, msg_id):
        """The reply's content and the outputs, when reply and idle are there."""
        out = []
        while True:
            msg = self.kc.get_iopub_msg(timeout=TIMEOUT)
            if msg["parent_header"].get("msg_id") != msg_id:
                continue
            if msg["msg_type"] == "status" and msg["content"]["execution_state"] == "idle":
                break
            out.append(msg)
        while True:
            msg = self.kc.get_shell_msg(timeout=TIMEOUT)
            if msg["parent_header"].get("msg_id") == msg_id:
                return msg["content"], out

    def run(self, code):
        return self.wait(self.send(code))

    def timed(self, code):
        start = now()
        reply, out = self.run(code)
        took = now() - start
        assert reply["status"] == "ok", (self.name, code, reply)
        return took, out

    def restart(self):
        self.stop()
        self.__init__(self.name)

    def stop(self):
        self.kc.stop_channels()
        self.km.shutdown_kernel(now=True)


def pss(process):
    """Proportional set size in MB of a process and all that it started."""
    total = 0
    for p in [process, *process.children(recursive=True)]:
        try:
            lines = Path(f"/proc/{p.pid}/smaps_rollup").read_text().splitlines()
        except OSError:
            continue  # gone since
        total += sum(int(line.split()[1]) for line in lines if line.startswith("Pss:"))
    return total / 1024


def start_once(name, argv, env, tmp):
    """Milliseconds from starting the process to its kernel_info_reply, and its memory two seconds later."""
    file = str(Path(tmp) / f"{name}-start.json")
    _, info = write_connection_file(file, key=b"k")
    session = Session(key=b"k")
    ctx = zmq.Context()
    shell = ctx.socket(zmq.DEALER)
    shell.linger = 0
    shell.reconnect_ivl = 1  # libzmq looks every 100 ms whether a port is open by now
    shell.connect(f"tcp://127.0.0.1:{info['shell_port']}")
    begun = now()
    process = subprocess.Popen([a.replace("{connection_file}", file) for a in argv], env=env,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    session.send(shell, "kernel_info_request", {})
    assert shell.poll(TIMEOUT * 1000), name
    took = now() - begun
    time.sleep(2)
    memory = pss(psutil.Process(process.pid))
    for p in [*psutil.Process(process.pid).children(recursive=True), psutil.Process(process.pid)]:
        p.kill()
    process.wait()
    ctx.destroy()
    return took, memory


def measure_start(names, specs, tmp, result):
    times, memory = {n: [] for n in names}, {n: [] for n in names}
    for _ in range(7 * MORE):
        for n in names:
            t, m = start_once(n, specs[n]["argv"], os.environ | specs[n]["env"], tmp)
            times[n].append(t)
            memory[n].append(m)
    for n in names:
        result["start"][n] = statistics.median(times[n])
        result["pss"][n] = statistics.median(memory[n])


def in_turns(kernels, rounds, cell, few=None):
    """Median milliseconds and message counts of a cell, the kernels taking turns."""
    times, counts = {k.name: [] for k in kernels}, {k.name: [] for k in kernels}
    for k in kernels:
        k.run(k.cells[cell])
    for i in range(rounds * MORE):
        for k in kernels:
            if few and i >= few.get(k.name, rounds * MORE):
                continue
            took, out = k.timed(k.cells[cell])
            times[k.name].append(took)
            counts[k.name].append(sum(m["msg_type"] == "stream" for m in out))
    return ({n: statistics.median(t) for n, t in times.items()}, {n: int(statistics.median(c)) for n, c in counts.items()})


def measure_notebook(kernels, result):
    times = {k.name: [] for k in kernels}
    for i in range(5 * MORE):
        for k in kernels:
            if i and k.name == "gonb":
                continue
            nb = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(k.cells["expr"]) for _ in range(50)])
            client = NotebookClient(nb, timeout=TIMEOUT, kernel_name=k.name)
            begun = now()
            client.execute(**QUIET)
            times[k.name].append(now() - begun)
    result["notebook"] = {n: statistics.median(t) for n, t in times.items()}


def measure_queue(kernels, result):
    times = {k.name: [] for k in kernels}
    for k in kernels * (15 * MORE if MORE > 1 else 1):
        code = "%version" if k.name == "gonb" else k.cells["expr"]
        begun = now()
        ids = {k.send(code) for _ in range(200)}
        answered = 0
        try:
            while ids:
                msg = k.kc.get_shell_msg(timeout=TIMEOUT)
                if msg["parent_header"].get("msg_id") in ids and msg["content"]["status"] == "ok":
                    answered += 1
                ids.discard(msg["parent_header"].get("msg_id"))
        except Exception as err:
            print(f"{k.name}: {err!r} after {answered} of 200 replies", file=sys.stderr)
        times[k.name].append(now() - begun)
        result["queue"][k.name], result["queue_ms"][k.name] = answered, statistics.median(times[k.name])
        if answered < 200:  # it may not answer any more (seen: ipykernel 7.3), and others are still to be measured
            k.restart()
            k.run(k.cells["import"])


def measure_interrupt(kernels, result):
    """From the interrupt to the loop's reply, and whether a variable has its value afterwards."""
    for k in kernels:
        times, kept = [], True
        for _ in range(3 * MORE):
            k.run(k.cells["set"])
            msg_id = k.send(k.cells["loop"])
            time.sleep(2 if k.name == "gonb" else 0.3)
            begun = now()
            k.km.interrupt_kernel()
            try:
                deadline = time.time() + 5
                while True:
                    msg = k.kc.get_shell_msg(timeout=max(0.1, deadline - time.time()))
                    if msg["parent_header"].get("msg_id") == msg_id:
                        break
                times.append(now() - begun)
                reply, out = k.run(k.cells["get"])
                kept &= reply["status"] == "ok" and "41" in json.dumps(out[-1]["content"])
            except Exception:  # it does not answer any more
                kept = False
                k.restart()
                k.run(k.cells["import"])
                break
        result["interrupt"][k.name] = statistics.median(times) if times else None
        result["kept"][k.name] = kept


def declare(k, begin, end):
    """Run the declarations from begin up to end; gonb, which builds a program for each cell, gets them as one."""
    cells = [declaration(k.name, i) for i in range(begin, end)]
    for cell in ["\n".join(cells)] if k.name == "gonb" else cells:
        k.timed(cell)


def measure_cells(kernels, result):
    """A cell early and late in a session; what trivial cells and an array of 80 MB keep. gonb keeps no values."""
    few = {"gonb": 5}
    for k in kernels:
        declare(k, 0, 5)
    result["early"], _ = in_turns(kernels, 41, "probe", few)
    for k in kernels:
        declare(k, 5, 500)
    result["late"], _ = in_turns(kernels, 41, "probe", few)
    result["growth"] = {n: result["late"][n] / result["early"][n] for n in result["early"]}
    for k in kernels:
        if k.name == "gonb":
            continue
        for _ in range(1000):  # until the processes have grown to their working size
            k.timed(k.cells["trivial"])
        before = kept(k)
        for _ in range(2000):
            k.timed(k.cells["trivial"])
        after = kept(k)
        result["kept_kb"][k.name] = (after - before) * 1024 / 2000
        k.timed(k.cells["array"])
        result["array"][k.name] = kept(k) - after
        k.timed(k.cells["free"])
        result["freed"][k.name] = kept(k) - after


def kept(k):
    """The kernel's memory when it has given back what is garbage."""
    k.timed(k.cells["collect"])
    return pss(psutil.Process(k.km.provisioner.pid))



ROWS = [
    # key, text, format, bar in words, and whether arrayrepl's figure passes beside gophernotes's
    ("start", "process start to kernel_info_reply", "{:.0f} ms", "< 60 ms", lambda a, g: a < 60),
    ("latency", "1+1 to reply and idle", "{:.2f} ms", "<= 0.7 x gophernotes", lambda a, g: a <= 0.7 * g),
    ("lines", "10,000 printed lines", "{:.0f} ms", "<= gophernotes", lambda a, g: a <= g),
    ("lines_n", "  in messages", "{}", "< 20", lambda a, g: a < 20),
    ("long", "one line of 10 MB", "{:.0f} ms", "< 80 ms", lambda a, g: a < 80),
    ("notebook", "50 cells through nbclient", "{:.0f} ms", "<= 0.75 x gophernotes", lambda a, g: a <= 0.75 * g),
    ("queue", "200 queued executes: answered", "{}", "200", lambda a, g: a == 200),
    ("queue_ms", "  all of them", "{:.0f} ms", "", None),
    ("interrupt", "interrupt of a busy loop", "{:.0f} ms", "< 100 ms", lambda a, g: a < 100),
    ("kept", "  state kept", "{}", "True", lambda a, g: a),
    ("early", "a cell that declares a function and calls, 5 cells before it", "{:.2f} ms", "", None),
    ("late", "  500 cells before it", "{:.2f} ms", "", None),
    ("growth", "  ratio", "{:.2f}", "<= 2", lambda a, g: a <= 2),
    ("kept_kb", "PSS kept of a trivial cell, of 2,000", "{:.1f} kB", "< 2 kB", lambda a, g: a < 2),
    ("array", "PSS of an array of 80 MB", "{:.0f} MB", "", None),
    ("freed", "  after big = nil", "{:.0f} MB", "< 8 MB", lambda a, g: a < 8),
    ("pss", "memory (PSS) after start", "{:.0f} MB", "< 80 MB", lambda a, g: a < 80),
]


def table(result, names):
    head = ["", *names, "arrayrepl's bar", ""]
    lines = [head]
    missed = []
    for key, text, form, bar, ok in ROWS:
        values = result[key]
        if not values:
            continue
        cells = [form.format(values[n]) if values.get(n) is not None else "never" if n in values and n != "floor" else "" for n in names]
        verdict = ""
        a, g = values.get("arrayrepl"), values.get("gophernotes")
        if ok and a is not None and (g is not None or "gophernotes" not in bar):
            verdict = "pass" if ok(a, g) else "MISS"
            if "gophernotes" in bar:
                verdict += f" ({a / g:.2f} x"
                verdict += f"; the floor is {values['floor'] / g:.2f} x)" if values.get("floor") else ")"
        elif ok:
            verdict = "MISS" if a is None else "no gophernotes"
        if verdict.startswith("MISS"):
            missed.append(text.strip())
        lines.append([text, *cells, bar, verdict])
    widths = [max(len(line[i]) for line in lines) for i in range(len(head))]
    for line in lines:
        print("  ".join(c.ljust(w) if i in (0, len(line) - 1, len(line) - 2) else c.rjust(w)
                        for i, (c, w) in enumerate(zip(line, widths))).rstrip())
    print("\nmissed:", ", ".join(missed) or "none")
    return missed


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("kernels", nargs="+", metavar="NAME=BINARY")
    parser.add_argument("--times", action="store_true", help="the kernels are two binaries of arrayrepl, and their times are printed")
    parser.add_argument("--only", default="start,latency,lines,long,notebook,queue,interrupt")
    args = parser.parse_args()
    only = args.only.split(",")
    if args.times:
        global MORE
        MORE = 4
        args.kernels = [f"{n}={b}" for n, b in zip(("base", "here"), args.kernels, strict=True)]
    binaries = dict(k.split("=", 1) for k in args.kernels)
    peers = str(Path(next(iter(binaries.values()))).resolve().parent / "peers")  # goimports, which gonb calls
    argv = {"gonb": ["-kernel", "{connection_file}"], "gophernotes": ["{connection_file}"], "floor": ["{connection_file}"],
            "arrayrepl": ["kernel", "{connection_file}"]}
    specs = {n: {"argv": [os.path.abspath(b), *argv.get(n, argv["arrayrepl"])], "env": ENV.get(n, {})} for n, b in binaries.items()}
    if not args.times:
        specs["ipykernel"] = {"argv": [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"], "env": {}}
    if "gonb" in specs:
        specs["gonb"]["env"] = {"PATH": peers + os.pathsep + os.environ["PATH"], "GOFLAGS": "-mod=mod"}
    with tempfile.TemporaryDirectory() as tmp:
        for var, sub in {"JUPYTER_DATA_DIR": "data", "JUPYTER_RUNTIME_DIR": "run", "IPYTHONDIR": "ipython", "XDG_CONFIG_HOME": "config"}.items():
            os.environ[var] = str(Path(tmp) / sub)
        for n, spec in specs.items():
            d = Path(tmp) / "data" / "kernels" / n
            d.mkdir(parents=True)
            mode = "message" if n in ("arrayrepl", "base", "here") else "signal"
            (d / "kernel.json").write_text(json.dumps(spec | {"display_name": n, "language": "x", "interrupt_mode": mode}))
        names = list(specs)
        result = {key: {} for key, *_ in ROWS}
        if "start" in only:
            measure_start(names, specs, tmp, result)
        kernels = [Kernel(n) for n in names]
        for k in kernels:
            k.run(k.cells["import"])
        try:
            if "latency" in only:
                result["latency"], _ = in_turns(kernels, 100, "expr", few={"gonb": 15})
            runs = [k for k in kernels if k.name != "floor"]  # cells
            if "lines" in only:
                result["lines"], result["lines_n"] = in_turns(runs, 9, "lines", few={"gonb": 3})
            if "long" in only:
                result["long"], _ = in_turns(runs, 5, "long", few={"gonb": 3})
            if "notebook" in only:
                measure_notebook(kernels, result)
            if "queue" in only:
                measure_queue(kernels, result)
            if "interrupt" in only:
                measure_interrupt(runs, result)
            if "cells" in only:
                measure_cells(runs, result)
        finally:
            for k in kernels:
                k.stop()
            if not args.times:
                table(result, names)  # what there is, when a kernel has failed
        above = ""
        for key, text, form, *_ in ROWS if args.times else []:
            name = above + "," + text[1:] if text.startswith(" ") else text
            if not text.startswith(" "):
                above = text
            if form.endswith(" ms") and result[key]:
                print(f"{name}\t{result[key]['base']:.4g}\t{result[key]['here']:.4g}")


if __name__ == "__main__":
    main()
