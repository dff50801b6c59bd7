package main

import (
	"html"
	"regexp"
	"testing"
)

func TestGoHTML(t *testing.T) {
	for _, tt := range []struct{ src, want string }{
		{`x := f(1) // "one"`, `x := <span class="f">f</span>(<span class="n">1</span>) <span class="c">// &#34;one&#34;</span>`},
		{"for i := range 3 {\n\tgo g()\n}", "<span class=\"k\">for</span> i := <span class=\"k\">range</span> <span class=\"n\">3</span> {\n\t<span class=\"k\">go</span> <span class=\"f\">g</span>()\n}"},
		{"a &^= b", "a &amp;^= b"},
	} {
		if got := goHTML(tt.src); got != tt.want {
			t.Errorf("%q:\n%s\nwant\n%s", tt.src, got, tt.want)
		}
	}
	// Nothing of the text is lost, whatever it is.
	tags := regexp.MustCompile(`</?span[^>]*>`)
	for _, src := range []string{"", "s := `raw\r\ntext`\r\n", "\"open", "§ ü // ä", "/* open", "'", "!ls -l", "func f() {"} {
		if got := html.UnescapeString(tags.ReplaceAllString(goHTML(src), "")); got != src {
			t.Errorf("%q became %q", src, got)
		}
	}
}
