package main

import (
	"fmt"

	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/offload/device"
)

func launches() []*experiment {
	many := func(c *card) float64 {
		const n, launchesMade = 4096, 50
		a, b := c.alloc(8*n), c.alloc(8*n)
		l := launch{f: kernel(occupancySource, "scale", "-DROUNDS=1"), grid: kir.D1(n / 256), block: kir.D1(256), args: []any{a, b, b, n}}
		ls := make([]launch, launchesMade)
		for i := range ls {
			ls[i] = l
		}
		return c.run(ls...).seconds / launchesMade
	}
	copyIn := func(bytes int) func(*card) float64 {
		return func(c *card) float64 {
			b := c.alloc(bytes)
			e := c.stream.CopyIn(b, 0, pinned(c, bytes))
			c.sync()
			r := e.Trace()
			return float64(bytes) / (float64(r.End-r.Start+r.Launch) * secondsPer) / 1e9
		}
	}
	const kb, mb = 1 << 10, 1 << 20
	return []*experiment{
		{
			id: "M81", title: "launches one behind the other in a stream, 4,096 float64 each: of one", preset: "h200", source: "gpu-benches, gpu-small-kernels (derived)", confidence: "R", in: seconds,
			variants: []variant{{"a launch", 2.45e-6, many}},
			checks:   []check{{"", "within 1.5", func(g []float64) bool { return near(g[0], 2.45e-6) }}},
		},
		{
			id: "M82", title: "copies from pinned memory to the device", machine: "V100 PCIe", preset: "v100", source: "gpu-benches", confidence: "R", in: gbs,
			variants: []variant{{"64 kB", 1.77, copyIn(64 * kb)}, {"256 kB", 5.27, copyIn(256 * kb)}, {"1 MB", 9.25, copyIn(mb)}, {"4 MB", 11.41, copyIn(4 * mb)}, {"16 MB", 12.11, copyIn(16 * mb)}},
		},
		{
			id: "M83", title: "copies from pinned memory to the device, 256 MB", machine: "H100 server, PCIe 5", preset: "h200", source: "two public logs of nvbandwidth", confidence: "T", in: gbs,
			variants: []variant{{"256 MB", 56.5, copyIn(256 * mb)}},
		},
	}
}

// pinned returns host memory that the device can take without a copy of its own.
func pinned(c *card, bytes int) []byte {
	if p, ok := any(c.gpu).(device.Pinner); ok {
		return must(p.HostAlloc(bytes))
	}
	panic(failure{fmt.Errorf("%s has no pinned memory", c.preset.Name)})
}
