package viz

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"sync"

	"github.com/arrayrepl/arrayrepl/kernel/display"
)

//go:embed assets/echarts.min.js.gz
var echartsGz []byte

//go:embed assets/runtime.js
var runtimeJS string

// scriptKey names this version of the script in the page: notebooks written by different versions share one page in
// JupyterLab.
var scriptKey = sync.OnceValue(func() string {
	h := sha256.New()
	h.Write(echartsGz)
	h.Write([]byte(runtimeJS))
	return fmt.Sprintf("%x", h.Sum(nil)[:6])
})

// scriptElement is the script that draws all charts of a page: echarts and runtime.js, compressed (1.1 MB become 505 kB
// of base64). echarts finds an exports object and so neither makes a global of its own nor answers to a module loader
// of the page. A page that has it already does nothing.
var scriptElement = sync.OnceValue(func() string {
	const loader = `<script>(function(k){
var w=window.arrayreplCharts=window.arrayreplCharts||{};
if(w[k]&&w[k].ready||w["loading "+k])return;
w["loading "+k]=true;
function u(s){return new Response(new Blob([Uint8Array.from(atob(s),function(c){return c.charCodeAt(0)})]).stream().pipeThrough(new DecompressionStream("gzip"))).text()}
Promise.all([u("%s"),u("%s")]).then(function(t){
var e=new Function("var exports={},module={exports:exports},define;"+t[0]+"\n;return exports")();
new Function("var draw="+t[1]+"\n;return draw")()(e,k);
}).catch(function(e){w["loading "+k]=false;console.error("arrayrepl: the chart script did not load",e)});
})("%s")</script>`
	var z bytes.Buffer
	w, _ := gzip.NewWriterLevel(&z, gzip.BestCompression) // the level exists, and memory takes every write
	w.Write([]byte(runtimeJS))
	w.Close()
	return fmt.Sprintf(loader, base64.StdEncoding.EncodeToString(echartsGz), base64.StdEncoding.EncodeToString(z.Bytes()), scriptKey())
})

// carrier is which cell's output carries the script.
var carrier struct {
	sync.Mutex
	running string // id of the running cell
	number  int    // its execution count; 0 when there is none
	owner   string // id of the cell whose output has the script
	first   int    // its execution count
	carried bool
}

// BeginCell tells that the cell with this id begins to run, and its execution count, which charts name where they need
// it. A session that knows its cells calls it, so that running the cell of the first chart again puts the script into
// that cell's new output; without it the script is shipped once. The id is any string that stays with the cell, "" when
// there is none.
func BeginCell(id string, count int) {
	c := &carrier
	c.Lock()
	defer c.Unlock()
	c.running, c.number = id, count
	if c.carried && id != "" && id == c.owner {
		c.carried = false
	}
}

// carry reports whether the output made now must carry the script.
func carry() bool {
	c := &carrier
	c.Lock()
	defer c.Unlock()
	if c.carried {
		return false
	}
	c.carried, c.owner, c.first = true, c.running, c.number
	return true
}

// missing is the line that a chart shows while its page lacks the script: which cell to run.
func missing() string {
	c := &carrier
	c.Lock()
	defer c.Unlock()
	which := "the cell of the first chart"
	switch {
	case display.Reproducible(): // tools tell the kernel of cells in different ways
	case c.first > 0 && c.first == c.number:
		which = "this cell"
	case c.first > 0:
		which = fmt.Sprintf("cell [%d], which has the charts' script,", c.first)
	}
	return "Static picture. For the interactive chart, run " + which + " again; a notebook from elsewhere must be trusted first."
}

// Script returns a value whose display carries the chart script, for a cell of its own at a notebook's top. Charts do
// without it: the first chart of a session carries the script too.
func Script() display.Bundler { return script{} }

type script struct{}

func (script) MIMEBundle() display.Bundle {
	carry()
	b := display.Text("viz: the script of interactive charts")
	b.Data[display.TypeHTML] = scriptElement() + "<small>The script of interactive charts is in this output.</small>"
	return b
}
