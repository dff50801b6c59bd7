//go:build unix

// Command soak runs a kernel for long and looks for what only long runs show: cells that become slower, memory,
// descriptors and goroutines that are not given back, interrupts that are lost, kernels that do not end.
//
//	go run ./tests/soak -cells 20000 -o docs/design/measurements/soak.md
//
// It fails when a cell does not do what its kind should.
package main

import (
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/arrayrepl/arrayrepl/tests/bench/record"
)

func main() {
	var o options
	flag.IntVar(&o.cells, "cells", 20_000, "mixed cells in one session")
	flag.IntVar(&o.interrupts, "interrupts", 600, "interrupts at random moments")
	flag.IntVar(&o.restarts, "restarts", 60, "restarts")
	flag.Uint64Var(&o.seed, "seed", uint64(time.Now().UnixNano()), "of what is random")
	flag.StringVar(&o.bin, "bin", "", "`PROGRAM` to run; the default builds ./cmd/arrayrepl")
	flag.StringVar(&o.out, "o", "", "write the figures to `FILE`")
	flag.StringVar(&o.heap, "heap", "", "write the session's heap profile after the cells to `FILE`")
	flag.StringVar(&o.cpu, "cpu", "", "write the session's processor profiles of the first and the last tenth of the cells to `FILE`.first and .last")
	only := flag.String("kinds", "", "`NAMES` of the kinds of cells, with commas; the default is all")
	flag.Parse()
	if *only != "" {
		names := strings.Split(*only, ",")
		kinds = slices.DeleteFunc(kinds, func(k kind) bool { return !slices.Contains(names, k.name) })
	}
	if err := o.run(); err != nil {
		fmt.Fprintln(os.Stderr, "soak:", err)
		os.Exit(1)
	}
}

type options struct {
	cells, interrupts, restarts int
	seed                        uint64
	bin, out, heap, cpu         string
	dir                         string
	rng                         *rand.Rand
	report                      strings.Builder
}

// say adds a line to the report, and prints it.
func (o *options) say(format string, args ...any) {
	line := fmt.Sprintf(format, args...)
	fmt.Println(line)
	o.report.WriteString(line + "\n")
}

func (o *options) run() (err error) {
	o.rng = rand.New(rand.NewPCG(o.seed, 1))
	if o.dir, err = os.MkdirTemp("", "soak-"); err != nil {
		return err
	}
	defer os.RemoveAll(o.dir)
	if o.bin == "" {
		o.bin = filepath.Join(o.dir, "arrayrepl")
		if out, err := exec.Command("go", "build", "-o", o.bin, "./cmd/arrayrepl").CombinedOutput(); err != nil {
			return fmt.Errorf("building: %w\n%s", err, out)
		}
	} else if o.bin, err = filepath.Abs(o.bin); err != nil {
		return err
	}
	began, load := time.Now(), record.Load()
	o.say("%d cells, %d interrupts, %d restarts; random with seed %d.\n", o.cells, o.interrupts, o.restarts, o.seed)
	if err := errors.Join(o.mixed(), o.interrupted(), o.restarted()); err != nil {
		return err
	}
	if o.out == "" {
		return nil
	}
	return record.Write(o.out, record.Program(), record.Header(record.Command(), began, load)+"\n\n"+o.report.String())
}

// mixed runs cells of all kinds in one session.
func (o *options) mixed() error {
	if o.cells == 0 {
		return nil
	}
	k, err := start(o.bin, o.dir)
	if err != nil {
		return err
	}
	defer k.kill()
	const windows = 10
	took := make([]map[string][]float64, windows)
	o.say("### %d mixed cells in one session\n", o.cells)
	o.say("| cells | kernel MB | its live heap | descriptors | goroutines | session MB | its live heap | descriptors | goroutines |\n|---|---|---|---|---|---|---|---|---|")
	look := func(n int) error {
		u, err := k.look()
		o.say("| %d | %.0f | %.1f | %d | %d | %.0f | %.1f | %d | %d |", n, u.kernelMB, u.kernelHeapMB, u.kernelFiles, u.kernelThreads, u.sessionMB, u.sessionHeapMB, u.sessionFiles, u.sessionThreads)
		return err
	}
	for i, kind := range kinds { // what first cells cost for ever
		if _, _, err := k.run(kind.code(i, o.rng)); err != nil {
			return err
		}
	}
	before, err := k.hold(o.dir)
	if err != nil {
		return err
	}
	for w := range windows {
		if err := look(w * o.cells / windows); err != nil {
			return err
		}
		took[w] = map[string][]float64{}
		profile := o.cpu != "" && (w == 0 || w == windows-1)
		if profile {
			if err := k.startProfile(o.cpu, map[int]string{0: "first", windows - 1: "last"}[w]); err != nil {
				return err
			}
		}
		for i := w * o.cells / windows; i < (w+1)*o.cells/windows; i++ {
			kind := kinds[o.rng.IntN(len(kinds))]
			code := kind.code(i, o.rng)
			begun := time.Now()
			reply, _, err := k.run(code)
			if err == nil && reply.content.Status != kind.status {
				err = fmt.Errorf("status %s, %s", reply.content.Status, reply.content.Value)
			}
			if err != nil {
				return fmt.Errorf("cell %d, %s: %w", i, kind.name, err)
			}
			took[w][kind.name] = append(took[w][kind.name], float64(time.Since(begun).Microseconds())/1e3)
		}
		if profile {
			if err := k.profile("pprof.StopCPUProfile()\ncpu.Close()"); err != nil {
				return err
			}
		}
	}
	if err := look(o.cells); err != nil {
		return err
	}
	after, err := k.hold(o.dir)
	if err != nil {
		return err
	}
	o.say("\nMilliseconds from the request to idle, in the first and the last tenth:\n\n| kind | median | 99 of 100 | median at the end | 99 of 100 | of the first |\n|---|---|---|---|---|---|")
	for _, kind := range kinds {
		a, b := took[0][kind.name], took[windows-1][kind.name]
		o.say("| %s | %.2f | %.2f | %.2f | %.2f | %.2f |", kind.name, part(a, 0.5), part(a, 0.99), part(b, 0.5), part(b, 0.99), part(b, 0.5)/part(a, 0.5))
	}
	o.say("")
	o.sayLeft(before, after)
	if o.heap != "" {
		path, err := filepath.Abs(o.heap)
		if err != nil {
			return err
		}
		if err := k.profile(fmt.Sprintf("profile, err := os.Create(%q)\nif err != nil { panic(err) }\nruntime.GC()\npprof.WriteHeapProfile(profile)\nprofile.Close()", path)); err != nil {
			return err
		}
	}
	return k.stop()
}

// part is the value below which that part of the values lies.
func part(values []float64, p float64) float64 {
	if len(values) == 0 {
		return 0
	}
	s := slices.Sorted(slices.Values(values))
	return s[min(len(s)-1, int(p*float64(len(s))))]
}

// interrupted interrupts endless cells at random moments, and now and then nothing.
func (o *options) interrupted() error {
	if o.interrupts == 0 {
		return nil
	}
	k, err := start(o.bin, o.dir)
	if err != nil {
		return err
	}
	defer k.kill()
	if _, _, err := k.run("kept := 42"); err != nil {
		return err
	}
	for _, code := range endless { // what each kind costs for ever when it is first used
		if _, err := k.interrupted(code, 20*time.Millisecond); err != nil {
			return err
		}
	}
	if _, err := k.look(); err != nil {
		return err
	}
	before, err := k.look()
	if err != nil {
		return err
	}
	had, err := k.hold(o.dir)
	if err != nil {
		return err
	}
	var took []float64
	for i := range o.interrupts {
		code := endless[o.rng.IntN(len(endless))]
		wait := time.Duration(o.rng.IntN(60)) * time.Millisecond
		if o.rng.IntN(10) == 0 { // between cells: nothing happens
			if err := k.interrupt(); err != nil {
				return err
			}
		}
		d, err := k.interrupted(code, wait)
		if err != nil {
			return fmt.Errorf("interrupt %d, after %v, of %q: %w", i, wait, code, err)
		}
		took = append(took, float64(d.Microseconds())/1e3)
		if i%20 == 0 {
			if n, err := k.value("kept"); err != nil || n != 42 {
				return fmt.Errorf("after interrupt %d kept is %d: %w", i, n, err)
			}
		}
	}
	if _, _, err := k.run("%kill all"); err != nil {
		return err
	}
	after, err := k.look()
	if err != nil {
		return err
	}
	has, err := k.hold(o.dir)
	if err != nil {
		return err
	}
	o.say("### %d interrupts at random moments\n\nAll reached their cell, and variables are kept. Milliseconds to idle: median %.1f, 99 of 100 %.1f, most %.1f.", o.interrupts, part(took, 0.5), part(took, 0.99), part(took, 1))
	o.say("Before and after: kernel %d and %d goroutines, %d and %d descriptors; session %d and %d goroutines, %d and %d descriptors, %.1f and %.1f MB live.\n",
		before.kernelThreads, after.kernelThreads, before.kernelFiles, after.kernelFiles, before.sessionThreads, after.sessionThreads, before.sessionFiles, after.sessionFiles, before.sessionHeapMB, after.sessionHeapMB)
	o.sayLeft(had, has)
	return k.stop()
}

// restarted starts and ends kernels, some with a cell that runs.
func (o *options) restarted() error {
	var took, ends []float64
	for i := range o.restarts {
		begun := time.Now()
		k, err := start(o.bin, o.dir)
		if err != nil {
			return fmt.Errorf("start %d: %w", i, err)
		}
		n, err := k.value("41 + 1")
		if err != nil || n != 42 {
			k.kill()
			return fmt.Errorf("start %d: %d, %w", i, n, err)
		}
		took = append(took, float64(time.Since(begun).Milliseconds()))
		session, _ := k.value("os.Getpid()")
		if i%2 == 1 {
			k.send(endless[o.rng.IntN(len(endless))])
			time.Sleep(time.Duration(o.rng.IntN(100)) * time.Millisecond)
		}
		begun = time.Now()
		if err := k.stop(); err != nil {
			return fmt.Errorf("end %d: %w", i, err)
		}
		ends = append(ends, float64(time.Since(begun).Milliseconds()))
		if files(session) > 0 {
			return fmt.Errorf("end %d: the session goes on", i)
		}
	}
	if o.restarts > 0 {
		o.say("### %d restarts, every second one with a cell that does not end\n\nAll kernels and sessions ended. Milliseconds to the first value: median %.0f, most %.0f; to the end: median %.0f, most %.0f.",
			o.restarts, part(took, 0.5), part(took, 1), part(ends, 0.5), part(ends, 1))
	}
	return nil
}
