package main

import (
	"context"
	"fmt"
	"os"
	"text/tabwriter"

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
	return w.Flush()
}
