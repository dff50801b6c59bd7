//go:build unix

package main

import (
	"encoding/json"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// kernel is a running kernel with the sockets of a client.
type kernel struct {
	cmd                   *exec.Cmd
	log                   string
	shell, control, iopub *socket
}

// start starts a kernel and waits for its first answer.
func start(bin, dir string) (*kernel, error) {
	conn := map[string]any{"transport": "tcp", "ip": "127.0.0.1", "signature_scheme": "hmac-sha256", "key": key}
	ports := map[string]int{}
	for _, name := range []string{"shell", "control", "stdin", "iopub", "hb"} {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return nil, err
		}
		defer l.Close()
		ports[name] = l.Addr().(*net.TCPAddr).Port
		conn[name+"_port"] = ports[name]
		l.Close()
	}
	text, err := json.Marshal(conn)
	if err != nil {
		return nil, err
	}
	file := filepath.Join(dir, "connection.json")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		return nil, err
	}
	k := &kernel{cmd: exec.Command(bin, "kernel", file), log: filepath.Join(dir, "log")}
	log, err := os.Create(k.log)
	if err != nil {
		return nil, err
	}
	defer log.Close()
	k.cmd.Dir, k.cmd.Stderr = dir, log
	k.cmd.Env = append(os.Environ(), "XDG_CONFIG_HOME="+dir)
	if err := k.cmd.Start(); err != nil {
		return nil, err
	}
	for kind, to := range map[string]**socket{"shell": &k.shell, "control": &k.control, "iopub": &k.iopub} {
		socketKind := "DEALER"
		if kind == "iopub" {
			socketKind = "SUB"
		}
		if *to, err = dial(ports[kind], socketKind); err != nil {
			return k, err
		}
	}
	if err := k.iopub.send([]byte{1}); err != nil {
		return k, err
	}
	if m, err := k.iopub.receive(); err != nil || m.kind != "iopub_welcome" {
		return k, fmt.Errorf("the first message is %q: %w", m.kind, err)
	}
	return k, nil
}

// send sends a cell.
func (k *kernel) send(code string) (id string, err error) {
	return k.shell.request("execute_request", map[string]any{"code": code, "silent": false, "allow_stdin": false})
}

// finish waits for the reply to a cell and for the end of its output, and returns what it showed.
func (k *kernel) finish(id string) (reply message, out []message, err error) {
	if reply, err = k.shell.receive(); err == nil && reply.parent != id {
		err = fmt.Errorf("a reply to %s, want one to %s", reply.parent, id)
	}
	for err == nil {
		var m message
		if m, err = k.iopub.receive(); err == nil && m.parent == id {
			if m.content.State == "idle" {
				return reply, out, nil
			}
			out = append(out, m)
		}
	}
	return reply, out, err
}

// run runs a cell.
func (k *kernel) run(code string) (reply message, out []message, err error) {
	id, err := k.send(code)
	if err != nil {
		return reply, nil, err
	}
	return k.finish(id)
}

// value runs a cell whose value is a number.
func (k *kernel) value(code string) (n int, err error) {
	reply, out, err := k.run(code)
	if err == nil && reply.content.Status != "ok" {
		err = fmt.Errorf("%s: %s", code, reply.content.Value)
	}
	for _, m := range out {
		if raw := m.content.Data["text/plain"]; err == nil && raw != nil {
			var text string
			if err = json.Unmarshal(raw, &text); err == nil {
				n, err = strconv.Atoi(text)
			}
		}
	}
	return n, err
}

// interrupt interrupts what runs.
func (k *kernel) interrupt() error {
	id, err := k.control.request("interrupt_request", map[string]any{})
	if err != nil {
		return err
	}
	m, err := k.control.receive()
	if err == nil && m.parent != id {
		err = fmt.Errorf("a reply to %s, want one to %s", m.parent, id)
	}
	return err
}

// interrupted runs a cell that does not end, interrupts it some time after its start, and returns how long that took.
func (k *kernel) interrupted(code string, wait time.Duration) (took time.Duration, err error) {
	id, err := k.send(code)
	if err != nil {
		return 0, err
	}
	for { // an interrupt before the cell runs is none of its
		m, err := k.iopub.receive()
		if err != nil {
			return 0, err
		}
		if m.parent == id && m.kind == "execute_input" {
			break
		}
	}
	time.Sleep(wait)
	begun := time.Now()
	if err := k.interrupt(); err != nil {
		return 0, err
	}
	reply, _, err := k.finish(id)
	if err == nil && reply.content.Name != "Interrupted" {
		err = fmt.Errorf("it is %q: %s", reply.content.Name, reply.content.Value)
	}
	return time.Since(begun), err
}

// stop shuts the kernel down and waits for its end.
func (k *kernel) stop() error {
	k.control.request("shutdown_request", map[string]any{"restart": true})
	k.control.receive()
	for _, s := range []*socket{k.shell, k.control, k.iopub} {
		s.conn.Close()
	}
	return k.cmd.Wait()
}

// kill ends it in any case.
func (k *kernel) kill() {
	k.cmd.Process.Kill()
	k.cmd.Wait()
}

// use is what the two processes use.
type use struct {
	kernelMB, sessionMB           float64 // resident
	kernelHeapMB, sessionHeapMB   float64 // live after a collection
	kernelFiles, sessionFiles     int
	kernelThreads, sessionThreads int // goroutines
}

var inUse = regexp.MustCompile(`in use: (\d+) goroutines, (\d+) bytes`)

// look asks both processes.
func (k *kernel) look() (u use, err error) {
	session, err := k.value("os.Getpid()")
	if err != nil {
		return u, err
	}
	heap, err := k.value("func() int { runtime.GC(); runtime.GC(); var m runtime.MemStats; runtime.ReadMemStats(&m); return int(m.HeapAlloc) }()")
	if err != nil {
		return u, err
	}
	if u.sessionThreads, err = k.value("runtime.NumGoroutine()"); err != nil {
		return u, err
	}
	u.sessionHeapMB = float64(heap) / 1e6
	pid := k.cmd.Process.Pid
	k.cmd.Process.Signal(syscall.SIGUSR1)
	time.Sleep(500 * time.Millisecond)
	log, err := os.ReadFile(k.log)
	if err != nil {
		return u, err
	}
	if all := inUse.FindAllStringSubmatch(string(log), -1); len(all) > 0 {
		u.kernelThreads, _ = strconv.Atoi(all[len(all)-1][1])
		bytes, _ := strconv.Atoi(all[len(all)-1][2])
		u.kernelHeapMB = float64(bytes) / 1e6
	}
	u.kernelMB, u.kernelFiles = resident(pid), files(pid)
	u.sessionMB, u.sessionFiles = resident(session), files(session)
	return u, nil
}

// resident is the memory that a process has, in MB.
func resident(pid int) float64 {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	_, rest, _ := strings.Cut(string(text), "VmRSS:")
	var kb float64
	fmt.Sscan(rest, &kb)
	return kb / 1e3
}

func files(pid int) int {
	all, _ := os.ReadDir(fmt.Sprintf("/proc/%d/fd", pid))
	return len(all)
}
