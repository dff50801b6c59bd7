package viz

import (
	"encoding/base64"
	"fmt"
	"html"
	"io"
	"strings"
)

// HTML returns the interactive form as a fragment that needs nothing else: the static picture, the notes, the data and
// the script, 505 kB, which a page that has it already does not run again. It is the same whenever it is asked for, so
// a web server can give it to each client; [WritePage] writes a page of several charts with one script. Where no
// scripts run the picture stays. The picture is an img with a data address because notebooks that are not trusted keep
// those and drop svg elements. Nothing is fetched. It is the error's text for a chart with an error.
func (c *Chart) HTML() string {
	if c.Err != nil {
		return "<pre>" + html.EscapeString(c.Err.Error()) + "</pre>"
	}
	return fragment(c, stillPicture) + scriptElement()
}

// sessionHTML is the form for an output of the session: the first one carries the script, all others share it. Where
// the script has not come, a line says which cell to run.
func (c *Chart) sessionHTML() string {
	script := ""
	if carry() {
		script = scriptElement()
	}
	return fragment(c, missing()) + script
}

const stillPicture = "Static picture: the script of this page does not run here."

// starter hands its chart to the script, which may come before or after it. VS Code runs a script as a child of the
// whole output: the chart is the first one there that has not been handed over.
const starter = `(function(s,k){var e=s.closest(".arrayrepl-chart:not([data-live])")||s.querySelector(".arrayrepl-chart:not([data-live])");if(!e)return;` +
	`var w=window.arrayreplCharts=window.arrayreplCharts||{},m=e.querySelector(".arrayrepl-missing");` +
	`m.style.display="none";e.dataset.live="";(w[k]=w[k]||[]).push(e);` +
	`setTimeout(function(){if(e.dataset.live!=="1")m.style.display=""},6000)})(document.currentScript.parentElement,"%s")`

// unbroken keeps a number and its sign of per cent, or of an error, on one line.
var unbroken = strings.NewReplacer("± ", "±&nbsp;", " %", "&nbsp;%")

// fragment is a chart's HTML; missing is what it says while there is no script.
func fragment(c *Chart, missing string) string {
	var b strings.Builder
	b.WriteString(imgOf(c))
	for _, n := range c.Notes {
		fmt.Fprintf(&b, `<div style="font-size:12px;opacity:.8;padding:0 12px">%s</div>`, unbroken.Replace(html.EscapeString(n)))
	}
	b.WriteString(termLinks(c.terms))
	return liveHTML(b.String(), missing, string(optionJSON(c)))
}

// glossary is where the words of charts are explained; %doc shows the same in a session.
const glossary = "https://github.com/arrayrepl/arrayrepl/blob/main/docs/glossary.md#"

// termLinks is a line of links to what words mean.
func termLinks(terms []string) string {
	if len(terms) == 0 {
		return ""
	}
	links := make([]string, len(terms))
	for i, t := range terms {
		links[i] = fmt.Sprintf(`<a href="%s" target="_blank" rel="noopener" style="color:inherit">%s</a>`, glossary+strings.ReplaceAll(strings.ToLower(t), " ", "-"), html.EscapeString(t))
	}
	return `<div style="font-size:12px;opacity:.8;padding:0 12px">In the glossary: ` + strings.Join(links, ", ") + `</div>`
}

// imgOf is the static picture in a page, without the notes.
func imgOf(c *Chart) string {
	return fmt.Sprintf(`<img class="arrayrepl-picture" width="%d" alt="%s" style="max-width:100%%;height:auto;border-radius:4px" src="data:image/svg+xml;base64,%s">`,
		width, html.EscapeString(c.alt()), base64.StdEncoding.EncodeToString([]byte(svg(c, false))))
}

// liveHTML is the HTML of a chart that the script draws from data, JSON: what stands in its place until then is still,
// with the line missing.
func liveHTML(still, missing, data string) string {
	return fmt.Sprintf(`<div class="arrayrepl-chart" style="max-width:%dpx;line-height:1.35">`+
		`<div class="arrayrepl-live" style="display:none;width:100%%"></div>%s`+
		`<div class="arrayrepl-missing" style="font-size:12px;font-style:italic;opacity:.8;padding:0 12px">%s</div>`+
		`<script type="application/json">%s</script><script>`+starter+`</script></div>`,
		maxWidth, still, html.EscapeString(missing), data, scriptKey())
}

// WritePage writes a whole HTML page of charts that works offline, apart from any session.
func WritePage(w io.Writer, title string, charts ...*Chart) error {
	var b strings.Builder
	fmt.Fprintf(&b, "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\"><title>%s</title>\n", html.EscapeString(title))
	b.WriteString("<style>:root{color-scheme:light dark}body{font-family:'Liberation Sans',Arial,Helvetica,sans-serif;background:#fff;color:#222;margin:16px}" +
		"@media(prefers-color-scheme:dark){body{background:#111;color:#ddd}}.arrayrepl-chart{margin-bottom:28px}</style>\n<body>\n")
	for _, c := range charts {
		if c.Err != nil {
			fmt.Fprintf(&b, "<pre>%s</pre>\n", html.EscapeString(c.Err.Error()))
			continue
		}
		b.WriteString(fragment(c, stillPicture))
		b.WriteByte('\n')
	}
	b.WriteString(scriptElement())
	b.WriteString("\n</body></html>\n")
	_, err := io.WriteString(w, b.String())
	return err
}
