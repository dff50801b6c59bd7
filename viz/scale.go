package viz

import (
	"image"
	"image/color"
	"math"
	"slices"
	"unicode/utf8"

	"gonum.org/v1/plot/vg"
)

// Scale gives values colours: Min the first, Max the last, others in between.
type Scale struct {
	Label    string
	Min, Max float64
	Colors   []string

	hidden bool     // no bar: the legend says what the colours mean
	words  []string // what 0, 1 and an empty cell are, where values are states
	one    bool     // all values are the same: it lies in the middle, and is all that the bar says
}

// Colours of scales. viridis is that of matplotlib (S. van der Walt and N. Smith, in the public domain): even steps in
// lightness, and told apart with every kind of colour vision. diverging is RdBu of ColorBrewer (C. Brewer), for values
// on both sides of zero.
var (
	viridis   = []string{"#440154", "#472d7b", "#3b528b", "#2c728e", "#21918c", "#28ae80", "#5ec962", "#addc30", "#fde725"}
	diverging = []string{"#2166ac", "#4393c3", "#92c5de", "#d1e5f0", "#f7f7f7", "#fddbc7", "#f4a582", "#d6604d", "#b2182b"}
	greys     = []string{"#000000", "#ffffff"}
)

// divergingDark is diverging for a dark page, where white in the middle would be the brightest thing and mean
// nothing: each half runs the other way, from dark in the middle to pale at its end.
var divergingDark = []string{"#92c5de", "#4393c3", "#2166ac", "#123a5e", "#1a1a1a", "#5c0f1a", "#b2182b", "#d6604d", "#f4a582"}

// colour returns the colour of v, which is transparent for NaN.
func (s *Scale) colour(v float64) color.NRGBA {
	if math.IsNaN(v) {
		return color.NRGBA{}
	}
	f := 0.5
	if s.Max > s.Min && !s.one {
		f = min(1, max(0, v/(s.Max-s.Min)-s.Min/(s.Max-s.Min)))
	}
	f *= float64(len(s.Colors) - 1)
	i := min(int(f), len(s.Colors)-2)
	a, b := rgb(s.Colors[i]), rgb(s.Colors[i+1])
	mix := func(a, b uint8) uint8 { return uint8(math.Round(float64(a) + (float64(b)-float64(a))*(f-float64(i)))) }
	return color.NRGBA{mix(a.R, b.R), mix(a.G, b.G), mix(a.B, b.B), 255}
}

// ticks are the labelled values of the bar.
func (s *Scale) ticks() span {
	if s.one {
		return span{min: s.Min, max: s.Max, step: s.Max - s.Min, ticks: []float64{s.middle()}}
	}
	return tight(niceSpan(s.Min, s.Max, 4), s.Min, s.Max)
}

// middle is the value between the ends.
func (s *Scale) middle() float64 { return s.Min + (s.Max-s.Min)/2 }

const (
	barGap   = 16
	barWidth = 12
)

// width is what the bar takes at the right of the plot.
func (s *Scale) width() int {
	w := 0.0
	for _, t := range s.ticks().ticks {
		w = max(w, float64(utf8.RuneCountInString(number(t)))*charWidth)
	}
	return barGap + barWidth + 6 + int(w)
}

// scale draws the bar at the plot's right, with its name above.
func (p painter) scale(s *Scale, g geometry) {
	x, n := g.x1+barGap, 128
	bar := image.NewNRGBA(image.Rect(0, 0, 1, n))
	for i := range n {
		bar.SetNRGBA(0, i, s.colour(s.Max-(s.Max-s.Min)*float64(i)/float64(n-1)))
	}
	p.DrawImage(vg.Rectangle{Min: p.pt(x, g.y1), Max: p.pt(x+barWidth, g.y0)}, zoomed(bar, barWidth, int(g.y1-g.y0)))
	at := s.ticks()
	for _, t := range at.ticks {
		y := g.y1 - (g.y1-g.y0)*fraction(t, at, false)
		p.text(number(t), x+barWidth+6, y, textSize-1, p.softInk, 0, false)
	}
	if s.Label != "" {
		p.text(s.Label, min(x+barWidth, width-12), g.y0-14, textSize, p.ink, -1, false)
	}
}

// zoomed returns img in w by h pixels, each the nearest of img's: readers of pictures smooth small ones.
func zoomed(img *image.NRGBA, w, h int) *image.NRGBA {
	out := image.NewNRGBA(image.Rect(0, 0, w, h))
	b := img.Bounds()
	for y := range h {
		for x := range w {
			out.SetNRGBA(x, y, img.NRGBAAt(x*b.Dx()/w, y*b.Dy()/h))
		}
	}
	return out
}

// pageScale is a Scale for runtime.js.
type pageScale struct {
	Label  string   `json:"label"`
	Min    num      `json:"min"`
	Max    num      `json:"max"`
	Colors []string `json:"colors"`
	Dark   []string `json:"dark,omitempty"` // the colours on a dark page, where they are others
	Ticks  []num    `json:"ticks"`
	Hidden bool     `json:"hidden,omitempty"`
	Words  []string `json:"words,omitempty"`
}

func pageScaleOf(s *Scale) *pageScale {
	if s == nil {
		return nil
	}
	out := &pageScale{Hidden: s.hidden, Words: s.words, Label: s.Label, Min: num(s.Min), Max: num(s.Max), Colors: s.Colors}
	if slices.Equal(s.Colors, diverging) {
		out.Dark = divergingDark
	}
	if s.one {
		c := hexOf(s.colour(s.middle()))
		out.Colors, out.Dark = []string{c, c}, nil
	}
	for _, t := range s.ticks().ticks {
		out.Ticks = append(out.Ticks, num(t))
	}
	return out
}
