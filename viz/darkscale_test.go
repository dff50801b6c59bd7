package viz

import (
	"testing"

	"github.com/stretchr/testify/assert"
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
