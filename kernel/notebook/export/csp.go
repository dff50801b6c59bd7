package export

import (
	"crypto/sha256"
	"encoding/base64"
	"slices"
	"strings"

	nethtml "golang.org/x/net/html"
)

// lockedPolicy is the content security policy of sanitised pages: pictures and styles, and nothing that runs, whatever
// else may have come through.
const lockedPolicy = "default-src 'none'; img-src 'self' data: http: https: file:; style-src 'self' 'unsafe-inline' file:; base-uri 'none'; form-action 'none'"

// allowed collects which scripts a page has at the time when it is written: those alone run, and what they start.
// Nothing that a reader's browser or a server puts in later does.
type allowed struct {
	hashes   []string // of scripts and event attributes
	schemes  []string // of scripts elsewhere
	relative bool     // there are scripts in files beside the page
	handlers bool     // some of the hashes are of event attributes
}

const maxHashes = 5000 // in a page

// admit notes the scripts of HTML that goes into the page as it is.
func (a *allowed) admit(text string) {
	if !strings.Contains(text, "<") {
		return
	}
	z := nethtml.NewTokenizer(strings.NewReader(text))
	inline := false // a script's text follows
	for {
		switch z.Next() {
		case nethtml.ErrorToken:
			return
		case nethtml.TextToken:
			if inline {
				a.hash(string(z.Text()))
			}
			inline = false
		case nethtml.StartTagToken, nethtml.SelfClosingTagToken:
			tag := z.Token()
			inline = tag.Data == "script"
			for _, attr := range tag.Attr {
				switch {
				case strings.HasPrefix(attr.Key, "on"):
					a.hash(attr.Val)
					a.handlers = true
				case attr.Key == "src" && inline:
					a.source(attr.Val)
				}
			}
		default:
			inline = false
		}
	}
}

func (a *allowed) hash(script string) {
	sum := sha256.Sum256([]byte(script))
	if h := "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"; len(a.hashes) < maxHashes && !slices.Contains(a.hashes, h) {
		a.hashes = append(a.hashes, h)
	}
}

func (a *allowed) source(address string) {
	scheme, _, absolute := strings.Cut(strings.ToLower(strings.TrimSpace(address)), ":")
	switch {
	case !absolute && !strings.HasPrefix(scheme, "//"):
		a.relative = true
	case !absolute:
		scheme = "https"
		fallthrough
	case scheme == "https" || scheme == "http" || scheme == "data" || scheme == "blob":
		if !slices.Contains(a.schemes, scheme+":") {
			a.schemes = append(a.schemes, scheme+":")
		}
	}
}

// policy is the page's content security policy. The scripts of charts compile what they carry, hence 'unsafe-eval'.
func (a *allowed) policy() string {
	script := "'none'"
	if len(a.hashes) > 0 || a.relative || len(a.schemes) > 0 {
		parts := append([]string{"'unsafe-eval'"}, a.hashes...)
		if a.handlers {
			parts = append(parts, "'unsafe-hashes'")
		}
		if a.relative {
			parts = append(parts, "'self'", "file:")
		}
		script = strings.Join(append(parts, a.schemes...), " ")
	}
	return "script-src " + script + "; object-src 'none'; base-uri 'none'"
}
