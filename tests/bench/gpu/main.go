// Command gpu measures lazy arrays on a GPU beside the packages of Python that are there (CuPy, PyTorch eager and
// compiled, JAX), and beside a copy on the card, which no streaming kernel can be faster than. It also measures what a
// launch takes the host, in process and through the worker, and counts the kernels of a cell with 40 operations.
//
//	go run ./tests/bench/gpu -python .build/peers/gpu/bin/python
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/arrayrepl/arrayrepl/cudabackend"
	"github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload"
	"github.com/arrayrepl/arrayrepl/offload/device"
	"github.com/arrayrepl/arrayrepl/offload/host"
)

// options say what is measured.
type options struct {
	Device string
	N      int // elements of the streaming workloads
	Side   int // of the matrices
	Turns  int // each figure is their median, after one that does not count

	python string
	worker []string // starts a worker; the GPU of the workloads is in it, as a session's
}

func main() {
	o := options{}
	flag.StringVar(&o.Device, "device", "cuda:0", "the GPU")
	flag.IntVar(&o.N, "n", 100_000_000, "elements of the streaming workloads")
	flag.IntVar(&o.Side, "side", 4096, "side of the matrices")
	flag.IntVar(&o.Turns, "turns", 9, "turns; the median counts")
	flag.StringVar(&o.python, "python", "", "a Python with CuPy, PyTorch or JAX; without it there is nothing beside")
	out := flag.String("o", "", "file for the page; standard output otherwise")
	worker := flag.Bool("worker", false, "be a worker: the program starts itself so")
	flag.Parse()
	if *worker {
		exit(cudabackend.ServeWorker())
	}
	self, err := os.Executable()
	if err != nil {
		exit(err)
	}
	o.worker = []string{self, "-worker"}
	w := io.Writer(os.Stdout)
	if *out != "" {
		f, err := os.Create(*out)
		if err != nil {
			exit(err)
		}
		defer f.Close()
		w = io.MultiWriter(f, os.Stdout)
	}
	if err := page(w, o); err != nil {
		exit(err)
	}
}

func exit(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// page measures everything and writes it.
func page(w io.Writer, o options) error {
	r := new(device.Registry)
	r.Add("host", func() (device.Device, error) { return host.Open(0), nil })
	cudabackend.Register(r, o.worker...)
	d, err := r.Get(o.Device)
	if err != nil {
		return err
	}
	version, _, err := cudabackend.DriverVersion()
	if err != nil {
		return err
	}
	p := d.Properties()
	fmt.Fprintf(w, "# Speed on a card\n\n%s, %s, %d SMs, %s; driver for CUDA %s; %s. Made by `make bench-gpu`. %d elements, medians of %d turns.\n\n",
		d.ID(), p.Name, p.SMs, device.Bytes(p.MemoryBytes), version, time.Now().UTC().Format(time.DateOnly), o.N, o.Turns)
	limit, err := copyRate(d, o)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "A copy on the card moves %s/s, reading and writing counted; that is the limit below.\n\n", device.Bytes(int64(limit)))
	rt, err := offload.New(r, o.Device)
	if err != nil {
		return err
	}
	lazy.Wiring{}.SetRuntime(rt)
	defer lazy.Wiring{}.SetRuntime(nil)
	peers := askPeers(w, o)
	if err := workloads(w, o, limit, peers); err != nil {
		return err
	}
	n, err := kernelsOfACell(rt)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "\nA cell with 40 operations on one shape issues %d kernels.\n", n)
	return launches(w, o)
}
