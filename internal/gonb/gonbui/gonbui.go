// Package gonbui displays things from cells as the package of that name does in GoNB.
package gonbui

import (
	"bytes"
	"crypto/rand"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"image"
	"image/png"
	"log"
	"sync"

	"github.com/arrayrepl/arrayrepl/internal/gonb/gonbui/protocol"
	"github.com/arrayrepl/arrayrepl/kernel/display"
)

// IsNotebook reports that cells run in a notebook.
var IsNotebook = true

// Debug makes Logf write.
var Debug bool

// Logf writes to the log when Debug is set.
func Logf(format string, args ...any) {
	if Debug {
		log.Printf(format, args...)
	}
}

// Error is nil: nothing lies between a cell and its output that could fail.
func Error() error { return nil }

// Open has nothing to open.
func Open() error { return nil }

// Sync returns when all has been displayed, which it is at once.
func Sync() {}

var (
	mu    sync.Mutex
	shown = map[string]bool{} // the ids of what can be replaced
)

// SendData displays data.
func SendData(data *protocol.DisplayData) {
	b := display.Bundle{Data: map[string]any{}, Metadata: data.Metadata}
	for typ, form := range data.Data {
		if typ == protocol.MIMETextJavascript {
			typ = display.TypeJavaScript
		}
		b.Data[string(typ)] = form
		if text, ok := form.(string); ok && b.Data[display.TypeText] == nil {
			b.Data[display.TypeText] = text // for clients that show nothing else
		}
	}
	if b.Data[display.TypeText] == nil {
		b.Data[display.TypeText] = "<picture>"
	}
	if data.DisplayID == "" {
		check(display.Show(b))
		return
	}
	mu.Lock()
	again := shown[data.DisplayID]
	shown[data.DisplayID] = true
	mu.Unlock()
	if again {
		check(display.Update(data.DisplayID, b))
	} else {
		check(display.ShowAs(data.DisplayID, b))
	}
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func show(typ protocol.MIMEType, form any, id string) {
	SendData(&protocol.DisplayData{Data: map[protocol.MIMEType]any{typ: form}, DisplayID: id})
}

// UniqueId returns a new id of eight letters.
func UniqueId() string {
	var b [4]byte
	rand.Read(b[:])
	return hex.EncodeToString(b[:])
}

// UniqueID is UniqueId.
func UniqueID() string { return UniqueId() }

// DisplayHTML displays HTML.
func DisplayHTML(html string) { show(protocol.MIMETextHTML, html, "") }

// DisplayHtml is DisplayHTML.
func DisplayHtml(html string) { DisplayHTML(html) }

// DisplayHTMLF is DisplayHTML with a format.
func DisplayHTMLF(format string, args ...any) { DisplayHTML(fmt.Sprintf(format, args...)) }

// DisplayHtmlf is DisplayHTMLF.
func DisplayHtmlf(format string, args ...any) { DisplayHTMLF(format, args...) }

// DisplayMarkdown displays Markdown.
func DisplayMarkdown(markdown string) { show(protocol.MIMETextMarkdown, markdown, "") }

// UpdateHTML displays HTML in the place of what was displayed with the id before.
func UpdateHTML(id, html string) { show(protocol.MIMETextHTML, html, id) }

// UpdateHtml is UpdateHTML.
func UpdateHtml(id, html string) { UpdateHTML(id, html) }

// UpdateMarkdown displays Markdown in the place of what was displayed with the id before.
func UpdateMarkdown(id, markdown string) { show(protocol.MIMETextMarkdown, markdown, id) }

// DisplayPng displays a PNG picture.
func DisplayPng(png []byte) { show(protocol.MIMEImagePNG, png, "") }

// DisplayPNG is DisplayPng.
func DisplayPNG(png []byte) { DisplayPng(png) }

// DisplayImage displays a picture.
func DisplayImage(m image.Image) error {
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil {
		return err
	}
	DisplayPng(b.Bytes())
	return nil
}

// DisplaySvg displays an SVG picture, as HTML, which keeps it in exported pages.
func DisplaySvg(svg string) { DisplayHTML("<div>" + svg + "</div>") }

// DisplaySVG is DisplaySvg.
func DisplaySVG(svg string) { DisplaySvg(svg) }

// ScriptJavascript runs JavaScript in the page, where the client lets outputs do that.
func ScriptJavascript(js string) { show(protocol.MIMETextJavascript, js, "") }

// EmbedImageAsPNGSrc returns a picture as what an img element takes as its source.
func EmbedImageAsPNGSrc(m image.Image) (string, error) {
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil {
		return "", err
	}
	return "data:image/png;base64," + base64.StdEncoding.EncodeToString(b.Bytes()), nil
}
