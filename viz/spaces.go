package viz

import (
	"fmt"
	"slices"

	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// Spaces draws the memories of a launch: on the left how large each thing is that lives there, the bytes of one and how
// many there are, on a logarithmic axis; on the right for how long it lives.
//
// For example:
//
//	viz.Spaces(gpu.Spaces(blur, gpu.Blocks(n, 256), 256, in, out))
func Spaces(s *trace.Spaces) *Chart {
	if s == nil || len(s.List) == 0 {
		return failed("Spaces: the launch uses no memory")
	}
	near := Series{Name: "on the SM", Mark: MarkBox, Color: green}
	far := Series{Name: "in DRAM", Mark: MarkBox, Color: skyBlue}
	moves := Series{Name: "where it is used", Mark: MarkBox, Color: vermillion}
	life := Series{Name: "lives as long as", Mark: MarkBox, Color: grey}
	var names, text []string
	for i, x := range s.List {
		name := x.Memory + ": " + x.Name
		names = append(names, name)
		y0, y1 := float64(i)-laneThick/2, float64(i)+laneThick/2
		label := byteSize(x.Bytes)
		if x.Copies > 1 {
			label = fmt.Sprintf("%s ×%d", label, x.Copies)
		}
		tip := []string{name, fmt.Sprintf("%s of each %s", byteSize(x.Bytes), x.Per)}
		if x.Copies > 1 {
			tip[1] += fmt.Sprintf(", %d of them: %s", x.Copies, byteSize(x.Bytes*x.Copies))
		}
		tip = append(tip, x.Note, "lives as long as "+x.Life.String())
		of := &far
		switch x.Memory {
		case "registers", "shared":
			of = &near
		case "managed":
			of = &moves
		}
		of.Boxes = append(of.Boxes, Box{X0: 1, X1: max(float64(x.Bytes), 1.2), Y0: y0, Y1: y1, Label: label, Tip: tip})
		part := float64(trace.ProgramLife-x.Life) * 1.3
		life.Boxes = append(life.Boxes, Box{X0: part, X1: 12 - part, Y0: y0, Y1: y1, Label: x.Life.String(), Tip: tip})
		text = append(text, fmt.Sprintf("%s: %s, lives as long as %s", name, label, x.Life))
	}
	most := slices.MaxFunc(s.List, func(a, b trace.Space) int { return int(max(min(a.Bytes-b.Bytes, 1), -1)) }).Bytes
	height := laneHeight * len(names)
	size := Panel{Height: height, X: Axis{Label: "size of one", Unit: "B", Log: true, Min: 1, Max: 10}, Y: Axis{Categories: names}, text: text}
	for size.X.Max < float64(most) {
		size.X.Max *= 10
	}
	for _, sr := range []Series{near, far, moves} {
		if sr.Boxes != nil {
			size.Series = append(size.Series, sr)
		}
	}
	long := Panel{Height: height, Beside: true, X: Axis{Label: "time, not to scale", Max: 12, Hidden: true}, Y: Axis{Categories: names, Hidden: true}, Series: []Series{life}, text: []string{}}
	blocks, threads := s.Grid[0]*s.Grid[1]*s.Grid[2], s.Block[0]*s.Block[1]*s.Block[2]
	return &Chart{
		Title:    "Memories of a launch of " + s.Kernel,
		Subtitle: fmt.Sprintf("%d blocks of %d threads on %s", blocks, threads, s.Device),
		Panels:   []Panel{size, long}, terms: []string{"register", "shared memory", "global memory"},
		Notes: []string{"Sizes are those of the kernel as the device compiles it. A block lives within its launch, a thread within its block; what lives as long as the program can be freed before."},
	}
}
