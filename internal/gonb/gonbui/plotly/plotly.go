// Package plotly shows figures of github.com/MetalBlueberry/go-plotly in the page, by plotly's JavaScript.
package plotly

import (
	"encoding/json"
	"fmt"

	"github.com/arrayrepl/arrayrepl/internal/gonb/gonbui"
	"github.com/arrayrepl/arrayrepl/internal/gonb/gonbui/dom"
)

// PlotlySrc is where the page finds plotly.
var PlotlySrc = "https://cdn.plot.ly/plotly-2.34.0.min.js"

// ThemeObject is a theme as plotly has it, in JSON.
type ThemeObject struct{ content string }

// MarshalJSON implements json.Marshaler.
func (t ThemeObject) MarshalJSON() ([]byte, error) { return []byte(t.content), nil }

// PlotlyDarkTheme draws light lines on a dark ground, PlotlyLightTheme dark ones on a light ground.
var (
	PlotlyDarkTheme  = ThemeObject{theme("#111111", "#f2f5fa", "#506784")}
	PlotlyLightTheme = ThemeObject{theme("#ffffff", "#2a3f5f", "#e5ecf6")}
)

func theme(ground, text, grid string) string {
	axis := fmt.Sprintf(`{"gridcolor":%q,"linecolor":%q,"zerolinecolor":%q,"automargin":true}`, grid, grid, grid)
	return fmt.Sprintf(`{"layout":{"paper_bgcolor":%q,"plot_bgcolor":%q,"font":{"color":%q},"xaxis":%s,"yaxis":%s}}`, ground, ground, text, axis, axis)
}

// DisplayFig shows a figure.
func DisplayFig(fig any) error { return AppendFig("", fig) }

// DisplayFigAsJSON shows a figure that is JSON already.
func DisplayFigAsJSON(fig []byte) error { return AppendFigAsJSON("", fig) }

// AppendFig shows a figure at the end of an element, below the cell for "".
func AppendFig(htmlID string, fig any) error {
	text, err := json.Marshal(fig)
	if err != nil {
		return err
	}
	return AppendFigAsJSON(htmlID, text)
}

// AppendFigAsJSON is AppendFig for a figure that is JSON already.
func AppendFigAsJSON(htmlID string, fig []byte) error {
	id := gonbui.UniqueId()
	div := fmt.Sprintf("<div id=%q></div>", id)
	if htmlID == "" {
		gonbui.DisplayHTML(div)
	} else {
		dom.Append(htmlID, div)
	}
	return dom.LoadScriptOrRequireJSModuleAndRun("plotly", PlotlySrc, map[string]string{"charset": "utf-8"},
		fmt.Sprintf("(module || window.Plotly).newPlot(%q, %s);", id, fig))
}
