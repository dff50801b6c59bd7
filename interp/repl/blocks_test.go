package repl

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"testing"

	"github.com/arrayrepl/arrayrepl/kernel/display"
)

func TestBlocks(t *testing.T) {
	m := image.NewNRGBA(image.Rect(0, 0, 2, 3))
	m.SetNRGBA(0, 0, color.NRGBA{255, 0, 0, 255})
	m.SetNRGBA(0, 1, color.NRGBA{0, 0, 255, 255})
	m.SetNRGBA(1, 1, color.NRGBA{95, 135, 175, 255})
	m.SetNRGBA(0, 2, color.NRGBA{255, 255, 255, 255})
	for term, want := range map[string]string{
		"truecolor": "\x1b[38;2;255;0;0;48;2;0;0;255m▀\x1b[0;38;2;95;135;175m▄\x1b[0m\n\x1b[0;38;2;255;255;255m▀\x1b[0m \x1b[0m\n",
		// xterm's 256colres.pl
		"": "\x1b[38;5;196;48;5;21m▀\x1b[0;38;5;67m▄\x1b[0m\n\x1b[0;38;5;231m▀\x1b[0m \x1b[0m\n",
	} {
		t.Setenv("COLORTERM", term)
		if got := halfBlocks(m); got != want {
			t.Errorf("%q:\n%q, want\n%q", term, got, want)
		}
	}
	var file bytes.Buffer
	if err := png.Encode(&file, image.NewNRGBA(image.Rect(0, 0, 100, 10))); err != nil {
		t.Fatal(err)
	}
	b := display.Bundle{Data: map[string]any{display.TypePNG: file.Bytes(), display.TypeText: "<a picture>"}}
	if got := blocks(b, 20, 24); height(got, 20) != 2 { // 20 by 2 pixels and the text
		t.Errorf("%q", got)
	}
	b.Data[display.TypeHTML] = "more"
	if got := blocks(b, 20, 24); got != "" {
		t.Errorf("a value with more forms is drawn as %q", got)
	}
}
