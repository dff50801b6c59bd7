package viz

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgsvg"
)

// On a page the middle of a diverging scale is what lies nearest to the background: it means nothing, and is not
// the brightest.
func TestDivergingScalesTurnOnDarkPages(t *testing.T) {
	luma := func(hex string) int { c := rgb(hex); return 299*int(c.R) + 587*int(c.G) + 114*int(c.B) }
	page := pageScaleOf(&Scale{Min: -1, Max: 1, Colors: diverging})
	assert.Len(t, page.Dark, len(page.Colors), "zero lies in the middle of both")
	for i := range page.Colors {
		middle := len(page.Colors) / 2
		if i != middle {
			assert.Less(t, luma(page.Colors[i]), luma(page.Colors[middle]), "light, %d", i)
			assert.Greater(t, luma(page.Dark[i]), luma(page.Dark[middle]), "dark, %d", i)
		}
	}
	assert.Nil(t, pageScaleOf(&Scale{Min: 0, Max: 1, Colors: viridis}).Dark)
	assert.Nil(t, pageScaleOf(&Scale{Min: 0, Max: 1, Colors: diverging, one: true}).Dark, "one value has one colour")
}

// What the style of a static picture makes of it in a dark page is the picture as it is drawn for dark terminals.
func TestStaticPicturesInDarkPages(t *testing.T) {
	rule := regexp.MustCompile(`\.arrayrepl-still (\w*)\[style\*="([^"]*)"\]\{([^!]*)!important\}`)
	element := regexp.MustCompile(`<(\w+) [^>]*>`)
	style := regexp.MustCompile(`<style>.*?</style>`)
	for _, c := range gallery() {
		var b bytes.Buffer
		h := paint(c, nightTheme, true, true, func(h vg.Length) *vgsvg.Canvas { return vgsvg.New(width, h) }, &b)
		want := style.ReplaceAllString(finish(b.String(), h, c.alt()), "")
		day := c.SVG()
		rules := rule.FindAllStringSubmatch(day, -1)
		require.NotEmpty(t, rules)
		got := element.ReplaceAllStringFunc(style.ReplaceAllString(day, ""), func(e string) string {
			for _, r := range rules {
				if r[1] == "" || strings.HasPrefix(e, "<"+r[1]+" ") {
					e = strings.ReplaceAll(e, r[2], r[3])
				}
			}
			return e
		})
		assert.True(t, got == want, c.Title) // two long texts
	}
}
