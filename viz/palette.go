package viz

import (
	"fmt"
	"image/color"

	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// Colours that readers with a colour vision deficiency can tell apart: M. Okabe and K. Ito, "Color Universal Design"
// (2008). The same meaning has the same colour in every chart; tests hold the table to that.
const (
	orange     = "#E69F00"
	skyBlue    = "#56B4E9"
	green      = "#009E73"
	yellow     = "#F0E442"
	blue       = "#0072B2"
	vermillion = "#D55E00"
	purple     = "#CC79A7"
	grey       = "#8C8C8C"
	paleGrey   = "#C4C4C4"
)

// kindColors is the colour of each kind of event.
var kindColors = map[trace.Kind]string{
	trace.Kernel:   green,
	trace.CopyIn:   blue,
	trace.CopyOut:  skyBlue,
	trace.CopyPeer: purple,
	trace.Alloc:    yellow,
	trace.Host:     orange,
	trace.Overhead: grey,
}

// issueColors are the issue slots by active lanes, few lanes first. One hue, darker with more lanes: full warps have
// the colour of kernels, and lightness alone tells the order.
var issueColors = [trace.IssueBins]string{
	"#FFF3B0", "#E9F2A1", "#CBE89A", "#A6DB97", "#7CCB93", "#4FBA8A", "#24AB7E", green,
}

// overlapColor is copies and kernels at the same time: between the colours of the two.
const overlapColor = "#00606B"

// stallColors are the stall classes: memory is blue, as copies are.
var stallColors = [trace.NumStalls]string{
	trace.StallPipeline: orange,
	trace.StallLong:     blue,
	trace.StallShort:    purple,
	trace.StallEmpty:    paleGrey,
	trace.StallSwap:     skyBlue,
	trace.StallHeap:     vermillion,
	trace.StallFetch:    yellow,
	trace.StallProbe:    "#B8860B",
	trace.StallLine:     "#7A4FB5",
	trace.StallSubmit:   "#C2185B",
	trace.StallPoll:     "#5D4037",
}

// limitColor is what could be reached at most.
const limitColor = vermillion

// lossColor is what divergence costs: as limits, it is what keeps a kernel from being faster.
const lossColor = vermillion

// restColor is what a bar could have been, or what does nothing.
const restColor = "#E4E4E4"

// ruleColor is what marks a value that the reader has named: the ink of the page, which no series has. In the live
// chart it follows the theme, and in a terminal it is the terminal's own.
const ruleColor = "#222222"

// seriesColors are given to series of data in turn.
var seriesColors = []string{blue, vermillion, green, purple, orange, skyBlue, grey}

// rgb parses "#RRGGBB".
func rgb(hex string) color.NRGBA {
	c := color.NRGBA{A: 255}
	if n, err := fmt.Sscanf(hex, "#%02x%02x%02x", &c.R, &c.G, &c.B); n != 3 || err != nil {
		return color.NRGBA{A: 255}
	}
	return c
}

// hexOf is the inverse of rgb.
func hexOf(c color.NRGBA) string { return fmt.Sprintf("#%02X%02X%02X", c.R, c.G, c.B) }

// onColor is the text colour that can be read on hex: by the luma of ITU-R BT.601.
func onColor(hex string) string {
	c := rgb(hex)
	if 299*int(c.R)+587*int(c.G)+114*int(c.B) > 140*1000 {
		return "#000000"
	}
	return "#FFFFFF"
}
