//go:build !nocuda && (linux || darwin || freebsd)

package compiler

import (
	"encoding/gob"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/arrayrepl/arrayrepl/internal/nvidiawheel"
	"github.com/arrayrepl/arrayrepl/internal/procs"
)

const (
	idleTime  = time.Minute           // how long the process waits for a next source
	mostTime  = 10 * time.Minute      // for one source
	pollEvery = 20 * time.Millisecond // how often who waits asks whether to go on
)

// process is a running compiler.
type process struct {
	cmd     *exec.Cmd
	to      *os.File
	from    *os.File
	enc     *gob.Encoder
	dec     *gob.Decoder
	library reply       // what it has told first
	ends    *time.Timer // while it is idle
	once    sync.Once
}

// idle is the process that waits for the next source. Who compiles takes it, so that two at the same time have one
// each.
var idle struct {
	sync.Mutex
	p *process
}

// paths are the files that may be the library.
var paths = sync.OnceValue(func() []string {
	return nvidiawheel.Libraries(names, "cuda_nvrtc/lib/libnvrtc.so.*", "cu*/lib/libnvrtc.so.*")
})

// start starts a process and waits until it has the library.
func start() (*process, error) {
	self := "/proc/self/exe" // also when the file has been replaced or removed
	if runtime.GOOS != "linux" {
		var err error
		if self, err = os.Executable(); err != nil {
			return nil, err
		}
	}
	requests, to, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	from, replies, err := os.Pipe()
	if err != nil {
		requests.Close()
		to.Close()
		return nil, err
	}
	cmd := exec.Command(self)
	cmd.Args[0] = os.Args[0]
	cmd.Env = append(os.Environ(), variable+"="+strings.Join(paths(), string(filepath.ListSeparator)))
	cmd.ExtraFiles = []*os.File{requests, replies}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // Ctrl-C in a terminal is for who waits
	err = cmd.Start()
	requests.Close()
	replies.Close()
	p := &process{cmd: cmd, to: to, from: from, enc: gob.NewEncoder(to), dec: gob.NewDecoder(from)}
	if err != nil {
		to.Close()
		from.Close()
		return nil, fmt.Errorf("CUDA C is compiled by a process of its own, which does not start: %w", err)
	}
	forget := procs.Keep(cmd.Process.Pid)
	go func() {
		cmd.Wait()
		forget()
	}()
	if err := p.dec.Decode(&p.library); err != nil {
		p.end()
		return nil, fmt.Errorf("CUDA C needs NVIDIA's runtime compiler, whose library (libnvrtc) ended the process that opened it: %w", err)
	}
	if p.library.Err != "" {
		p.end()
		return nil, errors.New(p.library.Err)
	}
	return p, nil
}

// take returns the idle process, or a new one.
func take() (*process, error) {
	idle.Lock()
	p := idle.p
	idle.p = nil
	idle.Unlock()
	if p != nil && p.ends.Stop() {
		return p, nil
	}
	return start()
}

// leave keeps p for the next source.
func (p *process) leave() {
	idle.Lock()
	defer idle.Unlock()
	if idle.p != nil {
		p.end()
		return
	}
	idle.p = p
	p.ends = time.AfterFunc(idleTime, func() {
		idle.Lock()
		if idle.p == p {
			idle.p = nil
		}
		idle.Unlock()
		p.end()
	})
}

// end ends the process, whatever it does.
func (p *process) end() {
	p.once.Do(func() {
		p.cmd.Process.Kill()
		p.to.Close()
		p.from.Close()
	})
}

// version is asked once: a library that was there stays.
var version = sync.OnceValues(func() (reply, error) {
	p, err := take()
	if err != nil {
		return reply{}, err
	}
	defer p.leave()
	return p.library, nil
})

// Version returns the version of NVRTC and the path of its library.
func Version() (number, path string, err error) {
	l, err := version()
	return l.Version, l.Path, err
}

// Compile compiles a source of that name. Its messages are log where it is wrong. Poll, which may be nil, is called on
// the calling goroutine some times in a second: a panic of it ends the compiler.
func Compile(name, source string, flags []string, poll func()) (ptx, log string, err error) {
	if _, err := version(); err != nil {
		return "", "", err
	}
	p, err := take()
	if err != nil {
		return "", "", err
	}
	answered := false
	defer func() {
		if !answered {
			p.end()
		}
	}()
	var r reply
	done := make(chan error, 1)
	go func() {
		err := p.enc.Encode(request{name, source, flags})
		if got := p.dec.Decode(&r); got == nil || err == nil {
			err = got
		}
		done <- err
	}()
	tick, late := time.NewTicker(pollEvery), time.NewTimer(mostTime)
	defer tick.Stop()
	defer late.Stop()
	for {
		select {
		case err := <-done:
			if err != nil {
				return "", "", fmt.Errorf("CUDA C: NVIDIA's compiler ended itself while it compiled %s: a source that is nested very deep, or has "+
					"very long expressions, does that, or one that takes much memory. Make it simpler", name)
			}
			answered = true
			p.leave()
			if r.Err != "" {
				return "", "", errors.New(r.Err)
			}
			return r.PTX, r.Log, nil
		case <-late.C:
			return "", "", fmt.Errorf("CUDA C: %s was compiled for %v without an end", name, mostTime)
		case <-tick.C:
			if poll != nil {
				poll()
			}
		}
	}
}
