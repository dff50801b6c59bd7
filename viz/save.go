package viz

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgimg"

	"github.com/arrayrepl/arrayrepl/internal/replace"
	"github.com/arrayrepl/arrayrepl/kernel/display"
	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// Save writes charts to a file. The name's end says how: .html is a page that works offline, with any number of charts;
// .svg and .png are the picture of one chart; .json is the trace that the chart was drawn from, or that of the last
// evaluation when no chart is given, for Perfetto (ui.perfetto.dev) and chrome://tracing.
func Save(path string, charts ...*Chart) error {
	for _, c := range charts {
		if c.Err != nil {
			return c.Err
		}
	}
	var b bytes.Buffer
	var err error
	switch ext := strings.ToLower(filepath.Ext(path)); ext {
	case ".html", ".htm":
		if len(charts) == 0 {
			return fmt.Errorf("viz: Save: no charts for %s", path)
		}
		err = WritePage(&b, charts[0].Title, charts...)
	case ".svg", ".png":
		if len(charts) != 1 {
			return fmt.Errorf("viz: Save: %d charts for %s, which holds one; .html holds many", len(charts), path)
		}
		if ext == ".svg" {
			b.WriteString(charts[0].SVG())
		} else {
			b.Write(charts[0].PNG())
		}
	case ".json":
		err = writeTrace(&b, charts)
	default:
		err = fmt.Errorf("viz: Save: %s: the name must end in .html, .svg, .png or .json", path)
	}
	if err != nil {
		return err
	}
	return replace.Bytes(path, b.Bytes())
}

// Save writes c to a file: see [Save].
func (c *Chart) Save(path string) error { return Save(path, c) }

func writeTrace(w io.Writer, charts []*Chart) error {
	var logs []*trace.Log
	switch {
	case len(charts) == 0 && trace.Last() != nil:
		logs = []*trace.Log{trace.Last()}
	case len(charts) == 0:
		return errNothing
	default:
		for _, c := range charts {
			logs = append(logs, c.logs...)
		}
	}
	if len(logs) == 0 {
		return errors.New("viz: Save: .json is for charts of traces; this one is of data")
	}
	for _, l := range logs[1:] {
		if l != logs[0] {
			return errors.New("viz: Save: a .json file holds one trace; these charts are of several")
		}
	}
	return logs[0].WriteChrome(w)
}

// pngScale makes pictures twice as fine as their size in pixels says, for screens that show them so and for print.
const pngScale = 2

// PNG returns the static picture at twice the resolution of [Chart.SVG], as a PNG file; nil for a chart with an error.
func (c *Chart) PNG() []byte {
	if c.Err != nil {
		return nil
	}
	return c.png(dayTheme, pngScale)
}

func (c *Chart) png(t theme, scale float64) []byte {
	var b bytes.Buffer
	paint(c, t, true, false, func(h vg.Length) vgimg.PngCanvas {
		// one point is one pixel at 72
		return vgimg.PngCanvas{Canvas: vgimg.NewWith(vgimg.UseWH(width, h), vgimg.UseDPI(int(72*scale)))}
	}, &b)
	return b.Bytes()
}

// lineHeight is what a line of a terminal is to a chart: words in both are then of one size.
const lineHeight = 17

// terminalPNG is the picture that fits a terminal.
func (c *Chart) terminalPNG(s display.Screen) []byte {
	t := dayTheme
	if s.Dark {
		t = nightTheme
	}
	scale := float64(s.CellHeight) / lineHeight
	scale = min(scale, float64(s.Columns*s.CellWidth)/width)
	if s.Rows > 2 { // the prompt before it and the one after it stay in sight
		scale = min(scale, float64((s.Rows-2)*s.CellHeight)/float64(lay(c).height))
	}
	return c.png(t, max(scale, 0.25))
}
