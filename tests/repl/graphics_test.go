//go:build unix

package repl_test

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/creack/pty"

	"github.com/arrayrepl/arrayrepl/internal/testsize"
)

const (
	questionKitty      = "\x1b_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\x1b\\"
	questionBackground = "\x1b]11;?\x1b\\"
	questionCell       = "\x1b[16t"
	questionAttributes = "\x1b[c"

	chart = "c := viz.Line(np.Linspace(0, 3, 50), np.Sin(np.Linspace(0, 3, 50)), viz.Title(\"a wave\"))"
)

// The answers of some terminals, from their documentation.
var (
	kittyTerminal = map[string]string{questionKitty: "\x1b_Gi=31;OK\x1b\\", questionBackground: "\x1b]11;rgb:ffff/ffff/dddd\x1b\\", questionAttributes: "\x1b[?62;c"}
	sixelTerminal = map[string]string{questionBackground: "\x1b]11;rgb:ff/ff/ff\a", questionCell: "\x1b[6;34;20t", questionAttributes: "\x1b[?62;4;22c"}
	darkTerminal  = map[string]string{questionBackground: "\x1b]11;rgb:1e1e/1e1e/1e1e\x1b\\", questionAttributes: "\x1b[?62;4c"}
	textTerminal  = map[string]string{questionAttributes: "\x1b[?1;2c"}
)

// pixels says the size of its characters: at 34 pixels a line a chart is as fine as the file that Save writes.
var pixels = pty.Winsize{Rows: 60, Cols: 80, X: 80 * 20, Y: 60 * 34}

// What comes back from the pictures in the terminal is the picture that the chart saves.
func TestPicturesInTerminals(t *testing.T) {
	noPixels := pixels
	noPixels.X, noPixels.Y = 0, 0
	for _, c := range []struct {
		name    string
		size    pty.Winsize
		answers map[string]string
		late    time.Duration
		env     []string
		args    []string
		decode  func(string) image.Image
		dark    bool
	}{
		{"kitty", pixels, kittyTerminal, 0, nil, nil, decodeKitty, false},
		{"sixel, the size of characters from an answer", noPixels, sixelTerminal, 0, nil, nil, decodeSixel, false},
		{"answers after half a second", pixels, kittyTerminal, 500 * time.Millisecond, nil, nil, decodeKitty, false},
		{"dark", pixels, darkTerminal, 0, nil, nil, decodeSixel, true},
		{"asked for sixel", pixels, kittyTerminal, 0, nil, []string{"--graphics=sixel"}, decodeSixel, false},
		{"tmux that passes sixel on", pixels, sixelTerminal, 0, []string{"TMUX=/tmp/tmux,1,0", "TERM=tmux-256color"}, nil, decodeSixel, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(t.TempDir(), "chart.png")
			f := play(t, c.size, c.answers, c.late, c.env, c.args...)
			f.untilText("In [1]: ")
			f.pty.WriteString("6*")
			time.Sleep(c.late + 200*time.Millisecond) // an answer between two keys
			f.enter("7")
			f.untilText("\r42\r\n")
			f.enter(chart + fmt.Sprintf("; c.Save(%q)", file))
			f.untilText("In [3]: ")
			f.enter("c")
			f.untilText("In [4]: ")
			f.leave()
			sent := f.all()
			if multiplexed := len(c.env) > 0; strings.Contains(sent, questionKitty) != (!multiplexed && len(c.args) == 0) {
				t.Error("asked for kitty's pictures where it should not be, or not where it should")
			}
			if strings.Contains(sent, "⣀") {
				t.Error("the picture's text is there too")
			}
			data, err := os.ReadFile(file)
			require.NoError(t, err)
			want, err := png.Decode(bytes.NewReader(data))
			require.NoError(t, err)
			got := c.decode(sent)
			if got == nil {
				t.Fatalf("no picture in %.2000q", sent)
			}
			if got.Bounds() != want.Bounds() {
				t.Fatalf("a picture of %v, saved %v", got.Bounds(), want.Bounds())
			}
			if corner := color.GrayModel.Convert(got.At(0, 0)).(color.Gray).Y; (corner < 128) != c.dark {
				t.Errorf("the paper is %d", corner)
			}
			if d := difference(got, want); !c.dark && d > 0.003 {
				t.Errorf("differs by %.4f of full scale a pixel", d)
			} else if c.dark && d < 0.3 {
				t.Errorf("a dark picture differs from the light one by %.4f alone", d)
			}
		})
	}
}

// A terminal that shows no pictures gets none, nor one that nobody may draw on; and no question where it might be
// printed.
func TestNoPictures(t *testing.T) {
	testsize.InTurn(t, 1)
	for _, c := range []struct {
		name    string
		answers map[string]string
		env     []string
		args    []string
		asked   bool
	}{
		{"text alone", textTerminal, nil, nil, true},
		{"one that answers nothing", nil, nil, nil, true},
		{"--graphics=none", kittyTerminal, nil, []string{"--graphics=none"}, false},
		{"the console", kittyTerminal, []string{"TERM=linux"}, nil, false},
		{"dumb", kittyTerminal, []string{"TERM=dumb"}, nil, false},
		{"--plain", kittyTerminal, nil, []string{"--plain", "--graphics=kitty"}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := play(t, pixels, c.answers, 0, c.env, c.args...)
			f.untilText("In [1]: ")
			f.enter(chart)
			f.untilText("In [2]: ")
			f.enter("c")
			f.untilText("In [3]: ")
			f.leave()
			sent := f.all()
			if strings.Contains(sent, questionAttributes) != c.asked {
				t.Errorf("asked: %v, want %v", !c.asked, c.asked)
			}
			if decodeKitty(sent) != nil || decodeSixel(sent) != nil || !strings.Contains(sent, "└┬") {
				t.Errorf("want a picture of characters, got %.3000q", sent)
			}
		})
	}
}

var kittyCommand = regexp.MustCompile(`\x1b_G([^;\x1b]*);([^\x1b]*)\x1b\\`)

// decodeKitty is the first picture that is shown, or nil.
func decodeKitty(sent string) image.Image {
	data, on := "", false
	for _, m := range kittyCommand.FindAllStringSubmatch(sent, -1) {
		if strings.Contains(m[1], "a=T,f=100") {
			on = true
		}
		if !on || len(m[2]) > 4096 {
			continue
		}
		data += m[2]
		if strings.Contains(m[1], "m=0") {
			break
		}
	}
	file, err := base64.StdEncoding.DecodeString(data)
	if err != nil || data == "" {
		return nil
	}
	m, err := png.Decode(bytes.NewReader(file))
	if err != nil {
		return nil
	}
	return m
}

var (
	sixelPicture = regexp.MustCompile(`(?s)\x1bP[0-9;]*q"(\d+;\d+;(\d+);(\d+))(.*?)\x1b\\`)
	sixelWord    = regexp.MustCompile(`#(\d+);2;(\d+);(\d+);(\d+)|#(\d+)|!(\d+)([?-~])|([?-~])|([$-])`)
)

// decodeSixel is the first sixel picture, or nil: DEC's manual EK-VT3XX-TP, chapter 14, without what encoders do not
// use.
func decodeSixel(sent string) image.Image {
	p := sixelPicture.FindStringSubmatch(sent)
	if p == nil {
		return nil
	}
	num := func(s string) (n int) { fmt.Sscan(s, &n); return n }
	m := image.NewRGBA(image.Rect(0, 0, num(p[2]), num(p[3])))
	colors, now, x, y := map[int]color.RGBA{}, 0, 0, 0
	for _, w := range sixelWord.FindAllStringSubmatch(p[4], -1) {
		switch {
		case w[1] != "":
			scale := func(s string) uint8 { return uint8((num(s)*255 + 50) / 100) }
			colors[num(w[1])] = color.RGBA{scale(w[2]), scale(w[3]), scale(w[4]), 255}
		case w[5] != "":
			now = num(w[5])
		case w[9] == "$":
			x = 0
		case w[9] == "-":
			x, y = 0, y+6
		default:
			n := 1
			if w[6] != "" {
				n = num(w[6])
			}
			bits := (w[7] + w[8])[0] - '?'
			for ; n > 0; n-- {
				for i := range 6 {
					if bits>>i&1 == 1 {
						m.SetRGBA(x, y+i, colors[now])
					}
				}
				x++
			}
		}
	}
	return m
}

// difference is the mean difference of two pictures of one size, 1 being black and white.
func difference(a, b image.Image) float64 {
	sum, n := 0.0, 0
	for y := range a.Bounds().Dy() {
		for x := range a.Bounds().Dx() {
			r1, g1, b1, _ := a.At(x, y).RGBA()
			r2, g2, b2, _ := b.At(x, y).RGBA()
			for _, d := range []int{int(r1) - int(r2), int(g1) - int(g2), int(b1) - int(b2)} {
				sum, n = sum+float64(max(d, -d)), n+1
			}
		}
	}
	return sum / float64(n) / 0xFFFF
}
