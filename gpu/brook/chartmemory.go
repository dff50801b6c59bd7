package brook

import (
	"fmt"
	"math"

	np "github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/viz"
)

// Chart draws what each kernel has read and written, by kinds, and what of it the cache had: elements of streams, which
// are read once, and what was gathered, which may be read again.
func (r *Report) Chart() *viz.Chart {
	p := viz.Panel{X: viz.Axis{Label: "moved", Unit: "bytes"}}
	parts := []viz.Series{
		{Name: "streamed", Color: streamColor}, {Name: "streamed, from the cache", Color: cachedColor},
		{Name: "gathered", Color: gatherColor}, {Name: "gathered, from the cache", Color: gotColor}, {Name: "written", Color: writtenColor},
	}
	const most = 12
	var kernels []KernelReport
	largest := int64(0)
	for _, k := range r.Kernels {
		if k.Memory.Counted && len(kernels) < most {
			kernels = append(kernels, k)
			largest = max(largest, k.Memory.Streamed+k.Memory.Gathered+k.Memory.Written)
		}
	}
	if len(kernels) == 0 {
		return &viz.Chart{Err: fmt.Errorf("Chart: no kernel of this stream ran on a device that counts bytes, as simulated GPUs do")}
	}
	size := 1.0
	for _, u := range []string{"kB", "MB", "GB"} {
		if float64(largest)/size < 1000 {
			break
		}
		size, p.X.Unit = size*1000, u
	}
	for y, k := range kernels {
		m := k.Memory
		p.Y.Categories = append(p.Y.Categories, k.Name+", "+amount(m.Streamed+m.Gathered+m.Written))
		x := 0.0
		// Hits are of sectors: their share is taken of the bytes.
		split := func(bytes, sectors, hits int64) (missed, hit float64) {
			if sectors > 0 {
				hit = float64(bytes) * float64(hits) / float64(sectors)
			}
			return float64(bytes) - hit, hit
		}
		s0, s1 := split(m.Streamed, m.StreamSectors, m.StreamHits)
		g0, g1 := split(m.Gathered, m.GatherSectors, m.GatherHits)
		for i, bytes := range []float64{s0, s1, g0, g1, float64(m.Written)} {
			if bytes > 0 {
				parts[i].Boxes = append(parts[i].Boxes, viz.Box{X0: x / size, X1: (x + bytes) / size, Y0: float64(y) - 0.35, Y1: float64(y) + 0.35,
					Tip: []string{k.Name, fmt.Sprintf("%s: %.0f bytes", parts[i].Name, bytes)}})
				x += bytes
			}
		}
		p.X.Max = max(p.X.Max, x/size)
	}
	for _, s := range parts {
		if s.Mark = viz.MarkBox; len(s.Boxes) > 0 {
			p.Series = append(p.Series, s)
		}
	}
	p.Height = max(34*len(kernels), 60)
	c := &viz.Chart{Title: "Bytes by kinds", Subtitle: r.Memory().String(), Panels: []viz.Panel{p}}
	if len(kernels) < len(r.Kernels) {
		c.Notes = append(c.Notes, fmt.Sprintf("%d of %d kernels are drawn.", len(kernels), len(r.Kernels)))
	}
	return c
}

// amount is so many bytes, in a unit of which there are less than a thousand.
func amount(bytes int64) string {
	if bytes < 1000 {
		return fmt.Sprintf("%d B", bytes)
	}
	n, units := float64(bytes), []string{"kB", "MB", "GB", "TB"}
	for n /= 1000; n >= 999.5 && len(units) > 1; n /= 1000 {
		units = units[1:]
	}
	return fmt.Sprintf("%.3g %s", n, units[0])
}

// Mesh draws streams of triangles, each in a plot of its own beside the one before, seen along the last axis: elements
// with three corners, of type F2 or F3. At most 4,096 triangles of each are drawn.
//
// For example:
//
//	brook.Mesh(triangles, brook.Flat(four, triangles))
func Mesh(streams ...*Stream) *viz.Chart {
	c := &viz.Chart{Title: "Triangles"}
	if len(streams) == 0 {
		return &viz.Chart{Err: fmt.Errorf("Mesh: give it streams of triangles")}
	}
	const most = 4096
	for k, s := range streams {
		m := members(s.of)
		each := len(m) / 3
		if len(m) != 6 && len(m) != 9 || m[len(m)-1] != 2 || m[each-1] != 0 || m[each] != 1 {
			return &viz.Chart{Err: fmt.Errorf("Mesh: elements of type %v have not three corners of type brook.F2 or brook.F3", s.of)}
		}
		s.Eval()
		n := min(s.Len(), most)
		lines := viz.Series{Color: streamColor}
		var at [6][]float64
		for corner := range 3 {
			for i := range 2 {
				at[2*corner+i] = s.columns[each*corner+i].Reshape(-1).AsType(np.Float64).DataLike(float64(0)).([]float64)
			}
		}
		for i := range n {
			for _, corner := range []int{0, 1, 2, 0} {
				lines.X, lines.Y = append(lines.X, at[2*corner][i]), append(lines.Y, at[2*corner+1][i])
			}
			lines.X, lines.Y = append(lines.X, at[0][i]), append(lines.Y, math.NaN())
		}
		p := viz.Panel{X: viz.Axis{Label: count(s.Len(), "triangle")}, Series: []viz.Series{lines}, Height: 200, Beside: k > 0}
		if k > 0 {
			p.Y.Hidden = true
		}
		c.Panels = append(c.Panels, p)
		if n < s.Len() {
			c.Notes = append(c.Notes, fmt.Sprintf("%d of %d triangles are drawn.", n, s.Len()))
		}
	}
	return c
}
