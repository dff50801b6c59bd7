package viz

import (
	"bytes"
	"cmp"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"slices"
	"sync/atomic"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgimg"
)

// The forms of charts in a notebook, for [Formats].
const (
	FormatHTML = "html" // interactive
	FormatSVG  = "svg"  // what JupyterLab shows of a notebook that is not trusted, and what exported pages show
	FormatPNG  = "png"  // what LaTeX, terminals with pictures, mails and repositories show
)

var chosen atomic.Pointer[[]string]

// Formats chooses the forms that charts have when they are shown, beside text: "html", "svg", "png". Without names, and
// at first, they have all three. A notebook's file holds all of them: without "png" a chart takes about 20 kB less. It
// panics for another name.
func Formats(names ...string) {
	for _, n := range names {
		if n != FormatHTML && n != FormatSVG && n != FormatPNG {
			panic(fmt.Errorf("viz.Formats: there is no form %q; there are %q, %q and %q", n, FormatHTML, FormatSVG, FormatPNG))
		}
	}
	names = slices.Clone(names)
	chosen.Store(&names)
}

func formats() []string {
	if names := chosen.Load(); names != nil && len(*names) > 0 {
		return *names
	}
	return []string{FormatHTML, FormatSVG, FormatPNG}
}

// smallPNG is the static picture for bundles: as large as the SVG, in 256 colours, which few charts need more than. It
// has half the bytes of one in all colours, a tenth of that of [Chart.PNG].
func (c *Chart) smallPNG() []byte {
	var canvas *vgimg.Canvas
	paint(c, dayTheme, true, false, func(h vg.Length) vgimg.PngCanvas {
		canvas = vgimg.NewWith(vgimg.UseWH(width, h), vgimg.UseDPI(72))
		return vgimg.PngCanvas{Canvas: canvas}
	}, nil)
	var b bytes.Buffer
	enc := png.Encoder{CompressionLevel: png.DefaultCompression}
	if err := enc.Encode(&b, paletted(canvas.Image())); err != nil {
		panic(err) // writing to memory
	}
	return b.Bytes()
}

// paletted is m with its 256 most frequent colours; others become the nearest of those.
func paletted(m image.Image) *image.Paletted {
	from, ok := m.(*image.RGBA)
	bounds := m.Bounds()
	if !ok {
		from = image.NewRGBA(bounds)
		for y := bounds.Min.Y; y < bounds.Max.Y; y++ {
			for x := bounds.Min.X; x < bounds.Max.X; x++ {
				from.Set(x, y, m.At(x, y))
			}
		}
	}
	type rgb [3]uint8
	counts := map[rgb]int{}
	last, run := rgb{}, 0 // pixels come in runs of one colour
	for i := 0; i+3 < len(from.Pix); i += 4 {
		if c := (rgb{from.Pix[i], from.Pix[i+1], from.Pix[i+2]}); c != last {
			counts[last] += run
			last, run = c, 0
		}
		run++
	}
	counts[last] += run
	colors := make([]rgb, 0, len(counts))
	for c := range counts {
		colors = append(colors, c)
	}
	slices.SortFunc(colors, func(a, b rgb) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), slices.Compare(a[:], b[:]))
	})
	index := make(map[rgb]uint8, len(colors))
	var palette color.Palette
	for i, c := range colors {
		if i < 256 {
			palette = append(palette, color.RGBA{c[0], c[1], c[2], 255})
			index[c] = uint8(i)
			continue
		}
		best, at := 1<<30, 0
		for k, p := range colors[:256] {
			d := 0
			for ch := range c {
				d += (int(c[ch]) - int(p[ch])) * (int(c[ch]) - int(p[ch]))
			}
			if d < best {
				best, at = d, k
			}
		}
		index[c] = uint8(at)
	}
	out := image.NewPaletted(bounds, palette)
	last, at := rgb{}, index[rgb{}]
	for y := range bounds.Dy() {
		row := from.Pix[y*from.Stride:]
		for x := range bounds.Dx() {
			if c := (rgb{row[4*x], row[4*x+1], row[4*x+2]}); c != last {
				last, at = c, index[c]
			}
			out.Pix[y*out.Stride+x] = at
		}
	}
	return out
}
