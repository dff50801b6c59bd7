package main

import (
	"context"
	"fmt"
	"os"
	"text/tabwriter"

	"github.com/arrayrepl/arrayrepl/cudabackend"
	"github.com/arrayrepl/arrayrepl/offload/device"
)

// listDevices prints the devices that can run kernels.
func listDevices(context.Context, []string) error {
	r := devices()
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "NAME\tWHAT\tSMS\tMEMORY\tBANDWIDTH")
	for _, name := range r.Names() {
		d, err := r.Get(name)
		if err != nil {
			fmt.Fprintf(w, "%s\t%v\n", name, err)
			continue
		}
		p := d.Properties()
		bandwidth := "-"
		if p.MemoryBandwidth > 0 {
			bandwidth = device.Bytes(int64(p.MemoryBandwidth)) + "/s"
		}
		fmt.Fprintf(w, "%s\t%s\t%d\t%s\t%s\n", name, p.Name, p.SMs, device.Bytes(p.MemoryBytes), bandwidth)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	version, path, err := cudabackend.DriverVersion()
	if err == nil {
		_, err = cudabackend.Names()
	}
	if err != nil {
		fmt.Printf("\nNo NVIDIA GPU: %v. Simulated GPUs (sim:...) run the same kernels.\n", err)
		return nil
	}
	fmt.Printf("\nNVIDIA driver for CUDA %s (%s).\n", version, path)
	return nil
}
