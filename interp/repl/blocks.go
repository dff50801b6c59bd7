package repl

import (
	"bytes"
	"image"
	"strings"

	"golang.org/x/image/draw"

	"github.com/arrayrepl/arrayrepl/kernel/display"
)

// blocks draws the picture of a value that is nothing else, such as an image.Image, with half blocks: two pixels a
// character, one in its colour and one in its background's. It is "" where b has more to it than a picture; then its
// text says more.
func blocks(b display.Bundle, columns, rows int) string {
	if b.Data[display.TypeHTML] != nil || b.Data[display.TypeSVG] != nil {
		return ""
	}
	for _, typ := range pictureTypes {
		file, ok := b.Data[typ].([]byte)
		if !ok {
			continue
		}
		config, _, err := image.DecodeConfig(bytes.NewReader(file))
		if err != nil || config.Width <= 0 || config.Height <= 0 || config.Width > maxPicture/config.Height {
			continue
		}
		if m, _, err := image.Decode(bytes.NewReader(file)); err == nil {
			w, h := fit(config.Width, config.Height, columns, 2*max(1, rows-2))
			small := image.NewNRGBA(image.Rect(0, 0, w, h))
			draw.CatmullRom.Scale(small, small.Bounds(), m, m.Bounds(), draw.Src, nil)
			return halfBlocks(small) + b.Text() + "\n"
		}
	}
	return ""
}

func halfBlocks(m *image.NRGBA) string {
	var b strings.Builder
	size := m.Bounds().Size()
	for y := 0; y < size.Y; y += 2 {
		for x := range size.X {
			top, bottom := m.NRGBAAt(x, y), m.NRGBAAt(x, y+1) // outside it is transparent
			switch {
			case top.A < 128 && bottom.A < 128:
				b.WriteString("\x1b[0m ")
			case bottom.A < 128:
				b.WriteString("\x1b[0;38;" + display.ANSIColor(top) + "m▀")
			case top.A < 128:
				b.WriteString("\x1b[0;38;" + display.ANSIColor(bottom) + "m▄")
			default:
				b.WriteString("\x1b[38;" + display.ANSIColor(top) + ";48;" + display.ANSIColor(bottom) + "m▀")
			}
		}
		b.WriteString("\x1b[0m\n")
	}
	return b.String()
}
