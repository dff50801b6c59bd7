package main

import (
	"context"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
	"text/tabwriter"

	"github.com/arrayrepl/arrayrepl/cudabackend"
	"github.com/arrayrepl/arrayrepl/gpu/kernels"
	"github.com/arrayrepl/arrayrepl/internal/replace"
	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/gosrc"
	"github.com/arrayrepl/arrayrepl/offload/device"
	"github.com/arrayrepl/arrayrepl/simgpu"
	"github.com/arrayrepl/arrayrepl/simgpu/calibrate"
)

// gpuCommand is what there is to do with one GPU: so far, to measure it.
func gpuCommand(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("gpu calibrate", flag.ExitOnError)
	var c calibration
	flags.StringVar(&c.device, "device", "", "the GPU: cuda:0, sim:v100, sim:FILE.json (default: the first NVIDIA GPU)")
	flags.StringVar(&c.base, "base", "", "the simulated GPU that has what is not measured (default: the newest that is no newer than the device)")
	flags.StringVar(&c.out, "o", "", "FILE.json that the simulated GPU is written to, for np.Use(\"sim:FILE.json\")")
	flags.BoolVar(&c.corpus, "corpus", false, "run the kernel corpus too, and print what the new simulated GPU says of each launch beside what it took")
	if rest := parseArgs(flags, args); len(rest) != 1 || rest[0] != "calibrate" {
		return errors.New("gpu has one command: arrayrepl gpu calibrate [--device NAME] [--base NAME] [-o FILE.json] [--corpus]")
	}
	return c.run(ctx, os.Stdout)
}

// calibration measures a GPU and makes a simulated one with its figures.
type calibration struct {
	device, base, out string
	corpus            bool
}

func (c *calibration) run(ctx context.Context, w io.Writer) error {
	if c.out != "" && !strings.HasSuffix(c.out, ".json") {
		return fmt.Errorf("gpu calibrate: -o %s: the name must end in .json, by which np.Use(\"sim:...\") knows a file", c.out)
	}
	d, err := c.open()
	if err != nil {
		return err
	}
	defer d.Close()
	base, err := c.basePreset(d)
	if err != nil {
		return err
	}
	figures, err := calibrate.Run(ctx, d)
	if err != nil {
		return fmt.Errorf("%s: %w", d.ID(), err)
	}
	fmt.Fprintf(w, "%s, %s\n\n", d.ID(), d.Properties().Name)
	if err := figureTable(w, figures, base); err != nil {
		return err
	}
	p, err := calibrate.Preset(base, d.Properties(), figures)
	if err != nil {
		return fmt.Errorf("these figures make no simulated GPU: %w", err)
	}
	if c.corpus {
		fmt.Fprintln(w)
		if err := errorTable(ctx, w, p, d); err != nil {
			return err
		}
	}
	if c.out == "" {
		return nil
	}
	text, err := p.File(base.Name)
	if err != nil {
		return err
	}
	if err := replace.Bytes(c.out, text); err != nil {
		return err
	}
	fmt.Fprintf(w, "\n%s has it: np.Use(%q)\n", c.out, "sim:"+c.out)
	return nil
}

// open returns the GPU. A simulated one replays every block.
func (c *calibration) open() (device.Device, error) {
	if strings.HasPrefix(c.device, "sim:") {
		p, err := simgpu.PresetByName(c.device)
		if err != nil {
			return nil, err
		}
		return simgpu.New(p, simgpu.Full()), nil
	}
	if c.device == "" {
		names, err := cudabackend.Names()
		if err != nil || len(names) == 0 {
			return nil, fmt.Errorf("no NVIDIA GPU to measure (%v); --device sim:v100 measures a simulated one", err)
		}
		c.device = names[0]
	}
	if c.device == "host" {
		return nil, errors.New("gpu calibrate measures GPUs, and the host is none")
	}
	return devices().Get(c.device)
}

// basePreset returns the preset that has what is not measured: the one that was named, the device's own, or the newest
// that is no newer than the device.
func (c *calibration) basePreset(d device.Device) (simgpu.Preset, error) {
	if strings.HasSuffix(c.base, ".json") {
		return simgpu.Preset{}, fmt.Errorf("--base %s: must be one of %s", c.base, strings.Join(simgpu.Names(), ", "))
	}
	if c.base != "" {
		return simgpu.PresetByName(c.base)
	}
	capability := ""
	switch d := d.(type) {
	case *simgpu.GPU:
		if !strings.HasSuffix(d.Preset().Name, ".json") {
			return d.Preset(), nil
		}
		capability = d.Preset().Capability
	case interface{ ComputeCapability() int }:
		capability = fmt.Sprintf("%d.%d", d.ComputeCapability()/10, d.ComputeCapability()%10)
	}
	var best simgpu.Preset
	for _, name := range simgpu.Names() {
		p, err := simgpu.PresetByName(name)
		if err != nil {
			return best, err
		}
		if p.GPUs <= 1 && p.Capability != "" && !newer(p.Capability, capability) &&
			(best.Name == "" || newer(p.Capability, best.Capability) || p.Capability == best.Capability && p.SMs > best.SMs) {
			best = p
		}
	}
	if best.Name == "" {
		return best, fmt.Errorf("no simulated GPU is as old as %s: --base names one to begin with, of %s", d.ID(), strings.Join(simgpu.Names(), ", "))
	}
	return best, nil
}

// newer compares compute capabilities: 10.0 is newer than 9.0.
func newer(a, b string) bool {
	var am, an, bm, bn int
	fmt.Sscanf(a, "%d.%d", &am, &an)
	fmt.Sscanf(b, "%d.%d", &bm, &bn)
	return am > bm || am == bm && an > bn
}

// figureTable prints what was measured beside what a preset has.
func figureTable(w io.Writer, figures []calibrate.Figure, base simgpu.Preset) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "WHAT\tMEASURED\tsim:%s HAS\tUNIT\n", base.Name)
	for _, f := range figures {
		if f.Why != "" {
			fmt.Fprintf(t, "%s\t-\t-\t%s\n", f.Name, f.Why)
			continue
		}
		has := "-"
		if v, ok := calibrate.Of(base, f.Name); ok {
			has = fmt.Sprintf("%.5g", v)
		}
		fmt.Fprintf(t, "%s\t%.5g\t%s\t%s\n", f.Name, f.Value, has, f.Unit)
	}
	return t.Flush()
}

// errorTable prints, for every kernel of the corpus, what p says of its launch and what it takes on d.
func errorTable(ctx context.Context, w io.Writer, p simgpu.Preset, d device.Device) error {
	p.Name += " with these figures"
	model := simgpu.New(p)
	defer model.Close()
	cases, left, err := corpusCases(model, d)
	if err != nil {
		return fmt.Errorf("the corpus is compiled from this project's source, by the go command: %w", err)
	}
	list, err := calibrate.Compare(ctx, model, d, cases)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "| kernel | predicted, µs | %s, µs | predicted / %[1]s |\n|---|---|---|---|\n", d.ID())
	for _, c := range list {
		ratio := "-" // its clock saw nothing pass
		if c.Measured > 0 {
			ratio = fmt.Sprintf("%.2f", c.Ratio())
		}
		fmt.Fprintf(w, "| %s | %.4g | %.4g | %s |\n", c.Name, c.Predicted*1e6, c.Measured*1e6, ratio)
	}
	mean, n := calibrate.MeanError(list)
	fmt.Fprintf(w, "\nThe mean error over %d launches is %.1f %%.\n", n, 100*mean)
	if len(left) > 0 {
		fmt.Fprintf(w, "Not all can run %s.\n", strings.Join(left, ", "))
	}
	if d.Properties().Modelled {
		fmt.Fprintf(w, "%s is a model itself: this says how one differs from another, and nothing of a card.\n", d.ID())
	}
	return nil
}

// corpusCases are the launches of the corpus whose kernels both devices can load, and the names of the others.
func corpusCases(model, d device.Device) (cases []calibrate.Case, left []string, err error) {
	dim := func(d [3]int) kir.Dim3 { return kir.Dim3{X: d[0], Y: d[1], Z: d[2]} }
	for i := range kernels.All {
		k := &kernels.All[i]
		compiled, err := kernels.Compile(k.Name, gosrc.Options{})
		if err != nil {
			return nil, nil, err
		}
		if loads := func(d device.Device) bool { _, err := d.Load(compiled.Func); return err == nil }; !loads(model) || !loads(d) {
			left = append(left, k.Name)
			continue
		}
		params, memory, err := kernels.Pack(compiled, k.Args())
		if err != nil {
			return nil, nil, err
		}
		c := calibrate.Case{Name: k.Name, Func: compiled.Func, Grid: dim(k.Grid), Block: dim(k.Block), SharedBytes: k.Dynamic, Params: params, Arrays: map[int][]byte{}}
		for _, p := range compiled.Func.Params {
			if p.Bytes() == 8 {
				if data, ok := memory[binary.LittleEndian.Uint64(params[p.Offset:])]; ok {
					c.Arrays[p.Offset] = data
				}
			}
		}
		cases = append(cases, c)
	}
	return cases, left, nil
}
