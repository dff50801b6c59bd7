// Command logo draws logo/logo-svg.svg, which is nothing but rectangles with round corners, as PNG files of the two
// sizes that Jupyter knows. It runs through `go generate` in package install.
package main

import (
	"encoding/xml"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"log"
	"math"
	"os"
)

// samples is how many points a pixel is judged by, in each direction.
const samples = 8

type rect struct {
	X       float64  `xml:"x,attr"`
	Y       float64  `xml:"y,attr"`
	W       float64  `xml:"width,attr"`
	H       float64  `xml:"height,attr"`
	R       float64  `xml:"rx,attr"`
	Fill    string   `xml:"fill,attr"`
	Opacity *float64 `xml:"opacity,attr"`
}

type group struct {
	Fill  string  `xml:"fill,attr"`
	Rects []rect  `xml:"rect"`
	Inner []group `xml:"g"`
}

func main() {
	log.SetFlags(0)
	data, err := os.ReadFile("logo/logo-svg.svg")
	if err != nil {
		log.Fatal(err)
	}
	var svg group
	if err := xml.Unmarshal(data, &svg); err != nil {
		log.Fatal(err)
	}
	rects := svg.Rects
	for _, g := range svg.Inner {
		for _, r := range g.Rects {
			r.Fill = g.Fill
			rects = append(rects, r)
		}
	}
	for _, size := range []int{32, 64} {
		if err := write(fmt.Sprintf("logo/logo-%dx%d.png", size, size), draw(rects, size)); err != nil {
			log.Fatal(err)
		}
	}
}

func write(name string, img image.Image) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	if err := png.Encode(f, img); err != nil {
		return err
	}
	return f.Close()
}

// draw paints the rectangles over each other on a transparent square; the drawing is 64 units wide.
func draw(rects []rect, size int) image.Image {
	img := image.NewNRGBA(image.Rect(0, 0, size, size))
	unit := 64 / float64(size)
	for y := range size {
		for x := range size {
			var r, g, b, a float64 // colour times alpha, and alpha
			for _, rc := range rects {
				cover := rc.cover(float64(x)*unit, float64(y)*unit, unit)
				if rc.Opacity != nil {
					cover *= *rc.Opacity
				}
				c := rc.colour()
				r = r*(1-cover) + float64(c.R)*cover
				g = g*(1-cover) + float64(c.G)*cover
				b = b*(1-cover) + float64(c.B)*cover
				a = a*(1-cover) + cover
			}
			if a > 0 {
				img.SetNRGBA(x, y, color.NRGBA{byte(r/a + .5), byte(g/a + .5), byte(b/a + .5), byte(a*255 + .5)})
			}
		}
	}
	return img
}

// cover is the part of the pixel at x, y with the given side that lies inside r.
func (r rect) cover(x, y, side float64) float64 {
	n := 0
	for i := range samples {
		for j := range samples {
			if r.inside(x+(float64(i)+.5)*side/samples, y+(float64(j)+.5)*side/samples) {
				n++
			}
		}
	}
	return float64(n) / (samples * samples)
}

// inside measures the distance to the rectangle shrunk by its corner radius.
func (r rect) inside(x, y float64) bool {
	dx := math.Max(math.Abs(x-r.X-r.W/2)-(r.W/2-r.R), 0)
	dy := math.Max(math.Abs(y-r.Y-r.H/2)-(r.H/2-r.R), 0)
	return math.Hypot(dx, dy) <= r.R
}

func (r rect) colour() (c color.RGBA) {
	if _, err := fmt.Sscanf(r.Fill, "#%02x%02x%02x", &c.R, &c.G, &c.B); err != nil {
		log.Fatalf("the colour %q: %v", r.Fill, err)
	}
	return c
}
