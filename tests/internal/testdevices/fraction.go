package testdevices

import (
	"math"

	"github.com/arrayrepl/arrayrepl/simgpu"
)

// Fraction makes a machine known whose GPUs are 1/parts of those of base in multiprocessors, memory and cache, and
// returns its name. With 1/parts of the elements a kernel takes about as long there as on base, and what takes the same
// whatever the size does too: a launch, a call, the beginning of a copy. Links are a root of that part as fast: what
// goes over them is an edge of an array, or a vector beside a matrix.
func Fraction(base string, parts int) string {
	return simgpu.Custom(base, simgpu.Change(func(p *simgpu.Preset) {
		root := math.Sqrt(float64(parts))
		p.SMs = max(p.SMs/parts, 1)
		p.L2Bytes, p.L2Banks, p.DRAMChannels = p.L2Bytes/parts, max(p.L2Banks/parts, 1), max(p.DRAMChannels/parts, 1)
		p.DRAMPeak /= int64(parts)
		for _, rate := range []*int64{&p.PinnedRate, &p.PageableRate, &p.RootRate, &p.PCIePeerRate, &p.PortRate} {
			*rate = int64(float64(*rate) / root)
		}
		links := make([][]int64, len(p.Links))
		for i, row := range p.Links {
			for _, rate := range row {
				links[i] = append(links[i], int64(float64(rate)/root))
			}
		}
		if p.Links != nil {
			p.Links = links
		}
	}))
}
