package dom

import (
	"encoding/base64"
	"fmt"
	"html"
	"maps"
	"slices"
	"strings"

	"github.com/arrayrepl/arrayrepl/internal/gonb/gonbui"
	"github.com/arrayrepl/arrayrepl/internal/gonb/gonbui/protocol"
)

var scripts = "gonb_transient_js_" + gonbui.UniqueId()

// TransientJavascript runs a script in the page and leaves nothing of it there, where the client lets outputs run
// scripts.
func TransientJavascript(js string) {
	gonbui.UpdateHTML(scripts, "<script>"+js+"</script>\n")
	gonbui.UpdateHTML(scripts, "")
}

// LoadScriptModuleAndRun loads a script into the page and runs another one then, which knows what the first defines.
func LoadScriptModuleAndRun(src string, attributes map[string]string, runJS string) error {
	return LoadScriptOrRequireJSModuleAndRun("", src, attributes, runJS)
}

// LoadScriptOrRequireJSModuleAndRun loads a script, by RequireJS where the page has that, and runs another one then:
// module is what RequireJS gives, else null.
func LoadScriptOrRequireJSModuleAndRun(moduleName, src string, attributes map[string]string, runJS string) error {
	gonbui.DisplayHTML("<script charset=\"UTF-8\">" + loading(moduleName, src, attributes, runJS) + "</script>")
	return nil
}

// LoadScriptOrRequireJSModuleAndRunTransient is LoadScriptOrRequireJSModuleAndRun and leaves nothing in the page.
func LoadScriptOrRequireJSModuleAndRunTransient(moduleName, src string, attributes map[string]string, runJS string) error {
	TransientJavascript(loading(moduleName, src, attributes, runJS))
	return nil
}

// loading is the script that loads src.
func loading(module, src string, attributes map[string]string, runJS string) string {
	var set strings.Builder
	for _, name := range slices.Sorted(maps.Keys(attributes)) {
		fmt.Fprintf(&set, "script.setAttribute(%s, %s); ", quote(name), quote(attributes[name]))
	}
	require := "false"
	if module != "" {
		require = "typeof requirejs === 'function'"
	}
	return fmt.Sprintf(`
(() => {
	const run = (module) => {%s};
	const src = %s;
	if (%s) {
		requirejs.config({paths: {%s: src.replace(/\.js$/, "")}});
		requirejs([%s], run);
		return;
	}
	let script = document.querySelector("script[src=" + JSON.stringify(src) + "]");
	if (script && script.dataset.loaded) {
		run(null);
		return;
	}
	if (!script) {
		script = document.createElement("script");
		%sscript.src = src;
		document.head.appendChild(script);
	}
	script.addEventListener("load", () => { script.dataset.loaded = "yes"; run(null); });
})();
`, runJS, quote(src), require, quote(module), quote(module), set.String())
}

// SendAsDownload shows a link by which the person gets data as a file.
func SendAsDownload(fileName string, data []byte, mimeType protocol.MIMEType) {
	gonbui.DisplayHTML(fmt.Sprintf("<a download=%q href=\"data:%s;base64,%s\">%s</a>",
		html.EscapeString(fileName), mimeType, base64.StdEncoding.EncodeToString(data), html.EscapeString(fileName)))
}
