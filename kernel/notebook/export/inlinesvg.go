package export

import (
	"encoding/base64"
	"encoding/xml"
	"slices"
	"strings"

	"github.com/arrayrepl/arrayrepl/internal/lazyregexp"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

var (
	svgTag  = lazyregexp.New(`(?i)<svg[\s/>]`)
	svgSize = lazyregexp.New(`^\s*(\d{1,5}(?:\.\d{1,3})?)(?:px)?\s*$`)
	xmlName = lazyregexp.New(`^[A-Za-z_][\w.-]*$`)
)

const xlinkSpace = "http://www.w3.org/1999/xlink"

// pictured is HTML with each picture that stands in it as SVG elements as an image, where browsers run no script and
// load nothing. Of a picture stays what only draws; one that then still refers to something outside of itself is left
// out.
func pictured(text string) string {
	if !svgTag.MatchString(text) {
		return text
	}
	body := &html.Node{Type: html.ElementNode, Data: "body", DataAtom: atom.Body}
	nodes, err := html.ParseFragment(strings.NewReader(text), body)
	if err != nil { // it is nested deeper than the parser takes
		return text
	}
	for _, n := range nodes {
		body.AppendChild(n)
	}
	var pictures []*html.Node
	for n := range body.Descendants() {
		if isSVG(n, "svg") && !isSVG(n.Parent, "") {
			pictures = append(pictures, n)
		}
	}
	for _, n := range pictures {
		if img := pictureOfSVG(n); img != nil {
			n.Parent.InsertBefore(img, n)
		}
		n.Parent.RemoveChild(n)
	}
	var b strings.Builder
	for n := range body.ChildNodes() {
		if err := html.Render(&b, n); err != nil {
			return text
		}
	}
	return b.String()
}

// isSVG reports whether n is an element of SVG, of that name unless it is "".
func isSVG(n *html.Node, name string) bool {
	return n != nil && n.Type == html.ElementNode && n.Namespace == "svg" && (name == "" || n.Data == name)
}

// pictureOfSVG is the img of a picture, nil when it could do more than draw.
func pictureOfSVG(svg *html.Node) *html.Node {
	var b strings.Builder
	writeSVG(&b, svg, true)
	if inertSVG([]byte(b.String())) != nil {
		return nil
	}
	img := &html.Node{Type: html.ElementNode, Data: "img", DataAtom: atom.Img}
	set := func(key, value string) { img.Attr = append(img.Attr, html.Attribute{Key: key, Val: value}) }
	for _, a := range svg.Attr {
		switch {
		case a.Namespace != "":
		case slices.Contains([]string{"class", "style", "id", "role", "aria-label"}, a.Key):
			set(a.Key, a.Val)
		case a.Key == "width" || a.Key == "height":
			if m := svgSize.FindStringSubmatch(a.Val); m != nil {
				set(a.Key, m[1])
			}
		}
	}
	for n := range svg.ChildNodes() {
		if isSVG(n, "title") && n.FirstChild != nil && n.FirstChild.Type == html.TextNode {
			set("alt", n.FirstChild.Data)
			break
		}
	}
	set("src", "data:image/svg+xml;base64,"+base64.StdEncoding.EncodeToString([]byte(b.String())))
	return img
}

// writeSVG writes an element of SVG as XML, without elements and attributes that do more than draw.
func writeSVG(b *strings.Builder, n *html.Node, outermost bool) {
	if !isSVG(n, "") || !svgDraws[n.Data] {
		return
	}
	b.WriteString("<" + n.Data)
	if outermost {
		b.WriteString(` xmlns="` + svgSpace + `" xmlns:xlink="` + xlinkSpace + `"`)
	}
	for _, a := range n.Attr {
		name := a.Key
		switch {
		case a.Namespace == "xlink" && name == "href":
			name = "xlink:href"
		case a.Namespace != "" || strings.Contains(name, ":") || name == "xmlns" || !xmlName.MatchString(name) || strings.HasPrefix(strings.ToLower(name), "on"):
			continue
		}
		if strings.HasSuffix(name, "href") && !svgHref.MatchString(a.Val) {
			continue // a link of a picture leads nowhere
		}
		b.WriteString(" " + name + `="`)
		xml.EscapeText(b, []byte(a.Val)) // into memory: no error
		b.WriteString(`"`)
	}
	b.WriteString(">")
	for c := range n.ChildNodes() {
		if c.Type == html.TextNode {
			xml.EscapeText(b, []byte(c.Data))
			continue
		}
		writeSVG(b, c, false)
	}
	b.WriteString("</" + n.Data + ">")
}
