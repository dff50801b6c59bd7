package export

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"sync"

	"github.com/arrayrepl/arrayrepl/internal/lazyregexp"
	"github.com/microcosm-cc/bluemonday"
)

// styleNames are the properties that an element of a sanitised page may set: none that puts it over other parts of the
// page.
var styleNames = []string{
	"background", "background-color", "border", "border-bottom", "border-collapse", "border-color", "border-left", "border-radius",
	"border-right", "border-spacing", "border-style", "border-top", "border-width", "color", "display", "font", "font-family",
	"font-size", "font-style", "font-variant", "font-variant-numeric", "font-weight", "height", "letter-spacing", "line-height",
	"list-style", "list-style-type", "margin", "margin-bottom", "margin-left", "margin-right", "margin-top", "max-height",
	"max-width", "min-height", "min-width", "opacity", "overflow", "overflow-x", "overflow-y", "padding", "padding-bottom",
	"padding-left", "padding-right", "padding-top", "tab-size", "text-align", "text-decoration", "text-indent", "text-transform",
	"vertical-align", "white-space", "width", "word-break",
}

// safeStyle matches values of properties: functions other than those of colours and gradients are refused, so nothing
// is loaded.
var (
	safeStyle   = lazyregexp.New(`^(?:[\w\s#%.,/+'"-]|(?:rgba?|hsla?|linear-gradient|calc)\(|\))*$`)
	imageSource = lazyregexp.New(`(?i)^(?:data:image/(?:png|jpeg|gif|webp|svg\+xml);base64,[A-Za-z0-9+/=\s]*|https?://\S+|[^:\s]+)$`)
	linkTarget  = lazyregexp.New(`(?i)^(?:https?://\S+|mailto:\S+|#\S*|[^:\s\\]+(?:#\S*)?)$`)
	safeName    = lazyregexp.New(`^[\p{L}\p{N}_.: -]*$`)

	taskBox       = lazyregexp.New(`<input (checked="" )?disabled="" type="checkbox" ?/?>`)
	safeCopy      = lazyregexp.New(`(?i)\.(?:png|jpe?g|gif|webp|csv|tsv|txt|json|go|py|ipynb|npy|npz|arrow|parquet|pdf)$`)
	svgReference  = lazyregexp.New(`(?i)url\s*\(\s*['"]?\s*([^#'"\s])|@import|expression\s*\(|\\`)
	svgHref       = lazyregexp.New(`^\s*(?:#|data:image/(?:png|jpeg|gif|webp);base64,)`)
	languageNames = lazyregexp.New(`^[A-Za-z0-9_+#.-]{1,40}$`)
)

// policy is what may stand in a page of a notebook that is not trusted: text, tables, lists and pictures. Charts keep
// their static picture, an img, and lose their script. SVG elements have become images before ([pictured]).
var policy = sync.OnceValue(func() *bluemonday.Policy {
	p := bluemonday.NewPolicy()
	p.AllowElements("a", "abbr", "article", "aside", "b", "bdi", "bdo", "blockquote", "br", "caption", "cite", "code", "col", "colgroup",
		"dd", "del", "details", "dfn", "div", "dl", "dt", "em", "figcaption", "figure", "footer", "h1", "h2", "h3", "h4", "h5", "h6",
		"header", "hr", "i", "img", "ins", "kbd", "li", "mark", "meter", "ol", "p", "pre", "progress", "q", "rp", "rt", "ruby", "s",
		"samp", "section", "small", "span", "strike", "strong", "sub", "summary", "sup", "table", "tbody", "td", "tfoot", "th", "thead",
		"time", "tr", "tt", "u", "ul", "var", "wbr")
	p.AllowNoAttrs().OnElements("a", "span", "font", "img")
	p.AllowAttrs("id", "title", "lang", "dir", "alt", "role", "aria-label").Matching(regexp.MustCompile(`^[^<>]*$`)).Globally()
	p.AllowAttrs("class").Matching(safeName.Get()).Globally()
	p.AllowAttrs("width", "height", "colspan", "rowspan", "span", "start", "value", "max", "min").Matching(regexp.MustCompile(`^[\d.]+%?$`)).Globally()
	p.AllowAttrs("align", "valign").Matching(regexp.MustCompile(`^\w+$`)).Globally()
	p.AllowAttrs("open").Matching(regexp.MustCompile(`^$`)).OnElements("details")
	p.AllowAttrs("href").Matching(linkTarget.Get()).OnElements("a")
	p.AllowAttrs("src").Matching(imageSource.Get()).OnElements("img")
	p.AllowStyles(styleNames...).MatchingHandler(safeStyle.MatchString).Globally()
	p.AllowURLSchemes("http", "https", "mailto", "data")
	p.AllowRelativeURLs(true)
	p.RequireParseableURLs(true)
	p.RequireNoFollowOnFullyQualifiedLinks(true)
	p.RequireNoReferrerOnFullyQualifiedLinks(true)
	p.SkipElementsContent("script", "style", "iframe", "object", "embed", "applet", "noscript", "noembed", "noframes", "template", "svg",
		"math", "textarea", "select", "title", "xmp", "plaintext", "frameset", "head")
	return p
})

// sanitized is HTML without what could run, load or send anything.
func sanitized(html string) string {
	html = taskBox.ReplaceAllStringFunc(html, func(box string) string {
		if strings.Contains(box, "checked") {
			return "☑"
		}
		return "☐"
	})
	return policy().Sanitize(pictured(html))
}

// The namespaces of XML that a picture may have, and what of SVG only draws.
const (
	svgSpace   = "http://www.w3.org/2000/svg"
	xhtmlSpace = "http://www.w3.org/1999/xhtml"
)

var svgDraws = func() map[string]bool {
	m := map[string]bool{}
	for _, name := range strings.Fields(`svg g path rect circle ellipse line polyline polygon text tspan textPath defs use symbol marker
		linearGradient radialGradient stop clipPath mask pattern image title desc metadata style filter feBlend feColorMatrix
		feComponentTransfer feComposite feConvolveMatrix feDiffuseLighting feDisplacementMap feDropShadow feFlood feFuncA feFuncB
		feFuncG feFuncR feGaussianBlur feMerge feMergeNode feMorphology feOffset feSpecularLighting feTile feTurbulence feDistantLight
		fePointLight feSpotLight switch view a`) {
		m[name] = true
	}
	return m
}()

// inertSVG returns an error when a picture could do more than draw, once it is opened as a file of its own.
func inertSVG(data []byte) error {
	dec := xml.NewDecoder(bytes.NewReader(data))
	dec.Strict = true
	seen, inStyle := false, false
	for {
		tok, err := dec.Token()
		switch {
		case errors.Is(err, io.EOF) && seen:
			return nil
		case err != nil:
			return fmt.Errorf("it is not a valid SVG: %w", err)
		}
		switch tok := tok.(type) {
		case xml.ProcInst:
			if tok.Target != "xml" {
				return fmt.Errorf("it has the instruction %.20q", tok.Target)
			}
		case xml.Directive:
			if bytes.ContainsAny(tok, "[") {
				return errors.New("it declares entities")
			}
		case xml.StartElement:
			name := tok.Name
			if !seen && (name.Space != svgSpace || name.Local != "svg") {
				return errors.New("it is not in the namespace of SVG")
			}
			seen = true
			if name.Space == xhtmlSpace || (name.Space == svgSpace || name.Space == "") && !svgDraws[name.Local] {
				return fmt.Errorf("it has the element %.20q", name.Local)
			}
			inStyle = name.Local == "style"
			for _, a := range tok.Attr {
				local := strings.ToLower(a.Name.Local)
				switch {
				case strings.HasPrefix(local, "on"):
					return fmt.Errorf("it has the attribute %.20q", a.Name.Local)
				case (local == "href" || local == "src") && a.Name.Space != "xmlns" && !svgHref.MatchString(a.Value):
					return errors.New("it refers to something outside of itself")
				case svgReference.MatchString(a.Value) && a.Name.Space != "xmlns":
					return errors.New("it refers to something outside of itself")
				}
			}
		case xml.EndElement:
			inStyle = false
		case xml.CharData:
			if inStyle && svgReference.Match(tok) {
				return errors.New("its style refers to something outside of itself")
			}
		}
	}
}
