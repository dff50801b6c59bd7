package export

import (
	"encoding/base64"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var svgImage = regexp.MustCompile(`src="data:image/svg\+xml;base64,([^"]*)"`)

// svgsIn are the pictures that pictured made of the SVG elements of a text.
func svgsIn(t *testing.T, text string) (list []string) {
	t.Helper()
	for _, m := range svgImage.FindAllStringSubmatch(pictured(text), -1) {
		data, err := base64.StdEncoding.DecodeString(m[1])
		require.NoError(t, err)
		list = append(list, string(data))
	}
	return list
}

// TestInlinePictures: what outputs draw with SVG elements stays, as an image.
func TestInlinePictures(t *testing.T) {
	const chart = `<p>before</p><figure><svg width="300" height="20.5px" viewBox="0 0 30 2" class="plot"><title>Rain</title>
		<defs><linearGradient id="g"><stop offset="0" stop-color="#fff"/></linearGradient><clipPath id="c"><path d="M0 0h9"/></clipPath></defs>
		<style>.a &gt; text { fill: red }</style><g clip-path="url(#c)" transform="scale(2)"><rect class=a fill="url(#g)" width=9 height=9></rect>
		<text x="1" y="2">5 &lt; 6 &amp; more</text><use xlink:href="#g"/></g></svg></figure><p>after</p>`
	got := pictured(chart)
	assert.Contains(t, got, `<p>before</p><figure><img width="300" height="20.5" class="plot" alt="Rain" src="data:image/svg+xml;base64,`)
	assert.Contains(t, got, `<p>after</p>`)
	drawn := svgsIn(t, chart)
	require.Len(t, drawn, 1)
	assert.NoError(t, inertSVG([]byte(drawn[0])))
	for _, want := range []string{`viewBox="0 0 30 2"`, `<linearGradient id="g">`, `clip-path="url(#c)"`, `fill="url(#g)"`, `5 &lt; 6 &amp; more`, `xlink:href="#g"`, `.a &gt; text`} {
		assert.Contains(t, drawn[0], want)
	}
	assert.Contains(t, sanitized(chart), svgImage.FindString(got))
	assert.Len(t, svgsIn(t, `<table><tr><td><svg><circle r="1"/></svg><td><svg><svg><path d="M0 0"/></svg></svg></table><svg><path>`), 3)
	const plain = "<b>no picture</b>"
	assert.Equal(t, plain, pictured(plain))
	deep := strings.Repeat("<div>", 5000) + "<svg>"
	assert.NotContains(t, sanitized(deep), "<svg")
}

// TestHostileInlinePictures: images are made of what draws alone.
func TestHostileInlinePictures(t *testing.T) {
	for _, h := range hostileTexts(t) {
		for _, text := range []string{h.Text, "<svg>" + h.Text + "</svg>", "<svg><g>" + h.Text, "<svg><desc>" + h.Text + "</desc></svg>", "<svg><style>" + h.Text + "</style></svg>"} {
			for _, drawn := range svgsIn(t, text) {
				assert.NoError(t, inertSVG([]byte(drawn)), h.Name)
				assert.NotRegexp(t, `(?i)<script|<foreignobject|<animate|<set|<iframe|\son\w+\s*=|javascript:[^<]*["']`, regexp.MustCompile(`>[^<]*<`).ReplaceAllString(drawn, "><"), h.Name)
			}
		}
	}
}
