// Command gpu runs on a GPU what only a GPU can show, and compares with the CPU engine bit by bit: the kernel corpus,
// every elementary function, kernels made at random; then what NVIDIA's libraries compute, and kernels that read files;
// then it measures copies, a streaming kernel and launches. It prints a page with the card, its driver and the date.
//
//	go run ./tests/gpu -o docs/gpu-results.md
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/arrayrepl/arrayrepl/cudabackend"
	"github.com/arrayrepl/arrayrepl/offload/device"
	"github.com/arrayrepl/arrayrepl/offload/host"
)

func main() {
	name := flag.String("device", "cuda:0", "the GPU")
	out := flag.String("o", "", "file for the page; standard output otherwise")
	kernels := flag.Int("kernels", 2000, "how many kernels are made at random")
	elements := flag.Int("elements", 1<<20, "how many arguments each elementary function gets")
	rows := flag.Int("rows", 200, "rows of the matrices that libraries get")
	numbers := flag.Int("numbers", 1<<20, "how many numbers the file has that kernels read")
	write := flag.String("write-corpus", "", "compile the kernel corpus into this file, and do nothing else")
	read := flag.String("corpus", "", "file with the compiled kernel corpus; without it that is compiled now, which takes Go and the source")
	bytes := flag.Int("bytes", 256<<20, "size of the copies that are measured")
	flag.Parse()
	if *write != "" {
		if err := writeCorpus(*write); err != nil {
			fail(err)
		}
		return
	}
	if *read != "" {
		if err := readCorpus(*read); err != nil {
			fail(err)
		}
	}
	w := io.Writer(os.Stdout)
	if *out != "" {
		f, err := os.Create(*out)
		if err != nil {
			fail(err)
		}
		defer f.Close()
		w = f
	}
	good, err := page(w, *name, *kernels, *elements, *rows, *bytes, *numbers, *read != "")
	if err != nil {
		fail(err)
	}
	if !good {
		fail(fmt.Errorf("something differs: see the page"))
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

// page writes everything, and reports whether all was equal.
func page(w io.Writer, name string, kernels, elements, rows, bytes, numbers int, compiled bool) (good bool, err error) {
	r := new(device.Registry)
	r.Add("host", func() (device.Device, error) { return host.Open(0), nil })
	cudabackend.Register(r)
	d, err := r.Get(name)
	if err != nil {
		return false, err
	}
	g := d.(*cudabackend.GPU)
	defer func() { err = errors.Join(err, g.Close()) }()
	version, path, err := cudabackend.DriverVersion()
	if err != nil {
		return false, err
	}
	p := g.Properties()
	fmt.Fprintf(w, "# What a card gave\n\n%s, %s, sm_%d, %d SMs, %s; driver for CUDA %s (%s); %s. Made by `make test-gpu`.\n\n",
		g.ID(), p.Name, g.ComputeCapability(), p.SMs, device.Bytes(p.MemoryBytes), version, path, time.Now().UTC().Format(time.DateOnly))
	good = true
	for _, part := range []func() (bool, error){
		func() (bool, error) { return corpus(w, r, name, g.ComputeCapability(), compiled) },
		func() (bool, error) { return elementary(w, g, elements) },
		func() (bool, error) { return random(w, g, kernels) },
		func() (bool, error) { return libraries(w, r, name, rows) },
		func() (bool, error) { return files(w, r, name, numbers, numbers/8) },
		func() (bool, error) { return true, rates(w, g, bytes) },
	} {
		ok, err := part()
		if err != nil {
			return false, err
		}
		good = good && ok
	}
	return good, nil
}
