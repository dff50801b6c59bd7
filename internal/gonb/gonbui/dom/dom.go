// Package dom changes parts of the page below a cell, as the package of that name does in GoNB.
//
// In GoNB the page itself is changed, by scripts, and asked what it has become. Here the elements that
// [CreateTransientDiv] has made are kept in the session, and displayed again when they change: so they are the same in
// every client, and without one. Elements that came into the page otherwise are changed by scripts, and cannot be read.
package dom

import (
	"fmt"
	"html"
	"strconv"
	"strings"
	"sync"

	"github.com/arrayrepl/arrayrepl/internal/gonb/gonbui"
)

// div is an element that the session keeps.
type div struct {
	id, display string
	inner       string
}

var (
	mu   sync.Mutex
	divs = map[string]*div{}
)

// CreateTransientDiv makes an element of the page below the cell and returns its id.
func CreateTransientDiv() (htmlId string) {
	uid := gonbui.UniqueId()
	d := &div{id: "dom.transient_div_" + uid, display: "gonb_update_" + uid}
	mu.Lock()
	defer mu.Unlock()
	divs[d.id] = d
	d.show()
	return d.id
}

func (d *div) show() { gonbui.UpdateHTML(d.display, d.text()) }

func (d *div) text() string { return fmt.Sprintf("<div id=%q>%s</div>", d.id, d.inner) }

// change gives f the text of the kept element in which an element with the id is, and where in it that is; f returns
// the new text. It reports whether there is one.
func change(id string, f func(text string, at element) string) bool {
	mu.Lock()
	defer mu.Unlock()
	for _, d := range divs {
		text := d.text()
		at, ok := find(text, id)
		if !ok {
			continue
		}
		text = f(text, at)
		own, ok := find(text, d.id)
		if !ok { // removed
			delete(divs, d.id)
			gonbui.UpdateHTML(d.display, "")
			return true
		}
		if inner := text[own.inner:own.innerEnd]; inner != d.inner {
			d.inner = inner
			d.show()
		}
		return true
	}
	return false
}

// inPage runs a script on an element of the page.
func inPage(id, script string) {
	TransientJavascript(fmt.Sprintf("(() => { const element = document.getElementById(%s); %s })();", quote(id), script))
}

// quote writes text as JavaScript in a script element does.
func quote(text string) string {
	return strings.ReplaceAll(strconv.Quote(text), "<", `\x3c`)
}

// RelativePositionId says where InsertAdjacent puts something.
type RelativePositionId string

// The places that InsertAdjacent knows.
const (
	BeforeBegin RelativePositionId = "beforebegin"
	AfterBegin  RelativePositionId = "afterbegin"
	BeforeEnd   RelativePositionId = "beforeend"
	AfterEnd    RelativePositionId = "afterend"
)

// InsertAdjacent puts HTML before, after or into an element.
func InsertAdjacent(referenceId string, pos RelativePositionId, html string) {
	kept := change(referenceId, func(text string, at element) string {
		i := map[RelativePositionId]int{BeforeBegin: at.start, AfterBegin: at.inner, BeforeEnd: at.innerEnd, AfterEnd: at.end}[pos]
		return text[:i] + html + text[i:]
	})
	if !kept {
		inPage(referenceId, fmt.Sprintf("element.insertAdjacentHTML(%s, %s);", quote(string(pos)), quote(html)))
	}
}

// Append puts HTML at the end of an element.
func Append(parentHtmlId, html string) { InsertAdjacent(parentHtmlId, BeforeEnd, html) }

// SetInnerHtml replaces what is in an element.
func SetInnerHtml(htmlId, html string) {
	if !setInner(htmlId, html) {
		inPage(htmlId, "element.innerHTML = "+quote(html)+";")
	}
}

// SetInnerText replaces what is in an element by text.
func SetInnerText(htmlId, text string) {
	if !setInner(htmlId, html.EscapeString(text)) {
		inPage(htmlId, "element.innerText = "+quote(text)+";")
	}
}

func setInner(id, html string) bool {
	return change(id, func(text string, at element) string { return text[:at.inner] + html + text[at.innerEnd:] })
}

// GetInnerHtml returns what is in an element that CreateTransientDiv has made, or in one within it. It panics for
// others: what they hold is known to the page alone.
func GetInnerHtml(htmlId string) (html string) {
	kept := change(htmlId, func(text string, at element) string {
		html = text[at.inner:at.innerEnd]
		return text
	})
	if !kept {
		panic(fmt.Errorf("dom.GetInnerHtml(%q): the session keeps no such element; it keeps those that dom.CreateTransientDiv makes", htmlId))
	}
	return html
}

// Remove takes an element away.
func Remove(htmlId string) {
	kept := change(htmlId, func(text string, at element) string { return text[:at.start] + text[at.end:] })
	if !kept {
		inPage(htmlId, "element.remove();")
	}
}

// Persist displays what is in an element as an output that stays, and takes the element away.
func Persist(htmlId string) {
	html := GetInnerHtml(htmlId)
	Remove(htmlId)
	if html != "" {
		gonbui.DisplayHTML(html)
	}
}
