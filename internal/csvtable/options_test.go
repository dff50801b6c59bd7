package csvtable

type option func(*Options)

func delimiter(r rune) option  { return func(o *Options) { o.Delimiter, o.IsDelimited = r, true } }
func comment(s string) option  { return func(o *Options) { o.Comment = &s } }
func quote(r rune) option      { return func(o *Options) { o.Quote = r } }
func ragged(how Ragged) option { return func(o *Options) { o.Ragged = how } }

// optionsOf are the defaults, changed, of a caller that has all the memory and never ends the work.
func optionsOf(opts ...option) Options {
	o := Defaults(Host{Reserve: func(n int) []byte { return make([]byte, n) }, Poll: func() {}, Fail: func(err error) { panic(err) }})
	for _, opt := range opts {
		opt(&o)
	}
	return o
}
