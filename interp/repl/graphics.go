package repl

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"fmt"
	"image"
	"image/color"
	_ "image/gif"  // pictures that values may show
	_ "image/jpeg" // likewise
	"image/png"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/mattn/go-sixel"
	"golang.org/x/image/draw"
	"golang.org/x/term"

	"github.com/arrayrepl/arrayrepl/kernel/display"
)

// Graphics is how pictures are shown in the terminal.
type Graphics string

// The ways, as the option --graphics names them.
const (
	GraphicsAuto  Graphics = "auto" // what the terminal says that it can
	GraphicsKitty Graphics = "kitty"
	GraphicsSixel Graphics = "sixel"
	GraphicsNone  Graphics = "none" // with characters
)

// ParseGraphics is the way with a name.
func ParseGraphics(name string) (Graphics, error) {
	switch g := Graphics(name); g {
	case GraphicsAuto, GraphicsKitty, GraphicsSixel, GraphicsNone:
		return g, nil
	}
	return "", fmt.Errorf("%q: the ways to show pictures are auto, kitty, sixel and none", name)
}

// defaultCell is the size of a character where the terminal does not say it: the VT340's, which sixel began with, is 10
// by 20.
const defaultCellWidth, defaultCellHeight = 10, 20

// maxPicture bounds the pixels of a picture that is sent to a terminal.
const maxPicture = 16 << 20

// questions are those that the terminal is asked. A multiplexer answers for itself and says with the attributes whether
// it passes sixel on; kitty's pictures it could only be made to pass without knowing where they are, and they would
// stay where they were drawn while the text scrolls.
func (r *repl) questions() string {
	if !r.drawable() || r.Graphics == GraphicsNone {
		return ""
	}
	name := os.Getenv("TERM")
	if name == "linux" { // the console writes what it does not understand
		return ""
	}
	q := askBackground
	if w, _ := cellSize(r.Out); w == 0 {
		q += askCell
	}
	multiplexed := os.Getenv("TMUX") != "" || strings.HasPrefix(name, "tmux") || strings.HasPrefix(name, "screen")
	if r.Graphics == GraphicsAuto && !multiplexed {
		q = askKitty + q
	}
	return q + askAttributes
}

// way is how pictures are shown now.
func (r *repl) way() Graphics {
	switch {
	case !r.drawable():
		return GraphicsNone
	case r.Graphics != GraphicsAuto:
		return r.Graphics
	case r.terminal.kitty:
		return GraphicsKitty
	case r.terminal.sixel:
		return GraphicsSixel
	}
	return GraphicsNone
}

// view is a terminal as a cell finds it.
type view struct {
	display.Screen
	way Graphics
}

// fit looks what the terminal is like, and tells those who want to know.
func (r *repl) fit() {
	v := &view{way: r.way()}
	if r.onScreen {
		v.Columns, v.Rows = r.size()
		v.Colors = r.color
	}
	if v.way != GraphicsNone {
		v.Dark = r.terminal.dark
		if v.CellWidth, v.CellHeight = cellSize(r.Out); v.CellWidth == 0 {
			v.CellWidth, v.CellHeight = r.terminal.cellWidth, r.terminal.cellHeight
		}
		if v.CellWidth == 0 {
			v.CellWidth, v.CellHeight = defaultCellWidth, defaultCellHeight
		}
	}
	r.view.Store(v)
	if r.Fit != nil {
		r.Fit(v.Screen)
	}
}

// size is the terminal's, in characters.
func (r *repl) size() (columns, rows int) {
	if w, h, err := term.GetSize(int(r.Out.Fd())); err == nil && w > 0 && h > 0 {
		return w, h
	}
	return 80, 24
}

func (r *repl) width() int {
	w, _ := r.size()
	return w
}

// show prints a value: its picture where the terminal shows pictures, else its text.
func (r *repl) show(b display.Bundle) {
	if picture := r.drawn(b); picture == "" || !r.screen.draw(picture) {
		r.screen.print(b.Text() + "\n")
	}
}

// kept is b without what is made for the terminal alone.
func kept(b display.Bundle) display.Bundle {
	if _, ok := b.Data[display.TypeTerminal]; ok {
		b.Data = maps.Clone(b.Data)
		delete(b.Data, display.TypeTerminal)
	}
	return b
}

// pictureTypes are the forms of a value that the terminal can show, the best first.
var pictureTypes = []string{display.TypeTerminal, display.TypePNG, display.TypeJPEG, "image/gif"}

// drawn is the picture of b as the terminal wants it, with a line's end; "" when it has none or the terminal shows
// none.
func (r *repl) drawn(b display.Bundle) string {
	v := r.view.Load()
	if !v.Pictures() {
		if !r.color || v.Columns == 0 {
			return ""
		}
		return blocks(b, v.Columns, v.Rows)
	}
	for _, typ := range pictureTypes {
		data, ok := b.Data[typ].([]byte)
		if !ok {
			continue
		}
		if text, err := encode(v.way, data, v.Screen); err == nil {
			return text + "\n"
		}
	}
	return ""
}

// encode writes a picture file in a protocol of terminals, made smaller where it does not fit.
func encode(way Graphics, file []byte, s display.Screen) (string, error) {
	config, kind, err := image.DecodeConfig(bytes.NewReader(file))
	if err != nil {
		return "", err
	}
	if config.Width <= 0 || config.Height <= 0 || config.Width > maxPicture/config.Height {
		return "", fmt.Errorf("a picture of %d by %d pixels", config.Width, config.Height)
	}
	w, h := fit(config.Width, config.Height, s.Columns*s.CellWidth, max(1, s.Rows-1)*s.CellHeight)
	if way == GraphicsKitty && kind == "png" && w == config.Width && h == config.Height {
		return kitty(file), nil
	}
	m, _, err := image.Decode(bytes.NewReader(file))
	if err != nil {
		return "", err
	}
	if w != config.Width || h != config.Height {
		small := image.NewNRGBA(image.Rect(0, 0, w, h))
		draw.CatmullRom.Scale(small, small.Bounds(), m, m.Bounds(), draw.Src, nil)
		m = small
	}
	var b bytes.Buffer
	if way == GraphicsSixel {
		if p := paletted(m); p != nil {
			m = p
		}
		err = sixel.NewEncoder(&b).Encode(m)
		return b.String(), err
	}
	if err := png.Encode(&b, m); err != nil {
		return "", err
	}
	return kitty(b.Bytes()), nil
}

// sixelColors is how many colours a sixel picture has; drawnColors, how many a drawing has at most, smooth edges
// included.
const sixelColors, drawnColors = 255, 4096

// paletted gives a drawing the colours that most of it has, exactly, and the nearest of them to the rest. For a
// photograph it is nil: the encoder's median cut is better there, but it would turn a chart's white into grey.
func paletted(m image.Image) *image.Paletted {
	bounds := m.Bounds()
	count := map[color.RGBA]int{}
	at := func(x, y int) color.RGBA { return color.RGBAModel.Convert(m.At(x, y)).(color.RGBA) }
	for y := bounds.Min.Y; y < bounds.Max.Y; y++ {
		for x := bounds.Min.X; x < bounds.Max.X; x++ {
			if count[at(x, y)]++; len(count) > drawnColors {
				return nil
			}
		}
	}
	colors := slices.Collect(maps.Keys(count))
	slices.SortFunc(colors, func(a, b color.RGBA) int {
		return cmp.Or(cmp.Compare(count[b], count[a]), cmp.Compare(hex(a), hex(b)))
	})
	p := image.NewPaletted(bounds, nil)
	index := map[color.RGBA]uint8{}
	for i, c := range colors {
		if i < sixelColors {
			p.Palette = append(p.Palette, c)
		}
		index[c] = uint8(p.Palette.Index(c))
	}
	for y := bounds.Min.Y; y < bounds.Max.Y; y++ {
		for x := bounds.Min.X; x < bounds.Max.X; x++ {
			p.SetColorIndex(x, y, index[at(x, y)])
		}
	}
	return p
}

func hex(c color.RGBA) uint32 {
	return uint32(c.R)<<24 | uint32(c.G)<<16 | uint32(c.B)<<8 | uint32(c.A)
}

// fit returns the size of a picture that is no larger than the room.
func fit(w, h, roomW, roomH int) (int, int) {
	if w > roomW {
		w, h = roomW, max(1, h*roomW/w)
	}
	if h > roomH {
		w, h = max(1, w*roomH/h), roomH
	}
	return w, h
}

// kittyChunk is how many characters of data one command may carry.
const kittyChunk = 4096

// kitty shows a PNG file by kitty's graphics protocol (https://sw.kovidgoyal.net/kitty/graphics-protocol/): transmit
// and display (a=T), PNG (f=100), in pieces (m=1 but for the last), no answer (q=2).
func kitty(file []byte) string {
	data := base64.StdEncoding.EncodeToString(file)
	var b strings.Builder
	for begin := "a=T,f=100,q=2,"; ; begin = "q=2," {
		piece, more := data, 0
		if len(data) > kittyChunk {
			piece, more = data[:kittyChunk], 1
		}
		fmt.Fprintf(&b, "\x1b_G%sm=%d;%s\x1b\\", begin, more, piece)
		if data = data[len(piece):]; data == "" {
			return b.String()
		}
	}
}
