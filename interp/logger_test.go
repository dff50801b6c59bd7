package interp

import "testing"

// Package log is interpreted, and its Logger is the type that compiled packages know.
func TestLogger(t *testing.T) {
	r := newRecorder(t, Options{})
	for _, tt := range [][2]string{
		{"var b strings.Builder\nl := log.New(&b, `p: `, log.Lshortfile|log.Lmsgprefix)\nl.Println(1, `two`)\nb.String()", "cell 1:3: p: 1 two\n\n"},
		{"server := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic(`boom`) }))\nserver.Config.ErrorLog = log.New(&b, ``, 0)\nserver.Start()\nhttp.Get(server.URL)\nserver.Close()\nstrings.Contains(b.String(), `http: panic serving`)", "true\n"},
		{"b.Reset()\nproxy := httputil.ReverseProxy{ErrorLog: l}\nproxy.ErrorLog.SetPrefix(`q: `)\nproxy.ErrorLog.SetFlags(0)\nl.Printf(`%d`, 3)\nb.String(), l.Prefix()", "q: 3\n q: \n"},
		{"type out interface{ Fatalf(string, ...any) }\nvar o out = l\no.Fatalf(`end %d`, 1)", "os.Exit(1) ended the cell; the session goes on\n    cell 1, line 3\n"},
		{"f := l.Fatal\nf(2)", "os.Exit(1) ended the cell; the session goes on\n    cell 1, line 2\n"},
		{"func() (v any) { defer func() { v = recover() }(); l.Panicln(`a`, 1); return 0 }()", "a 1\n\n"},
		{"b.String()", "q: 3\nq: end 1\nq: 2\nq: a 1\n\n"},
		{"slog.NewLogLogger(slog.NewTextHandler(&b, nil), slog.LevelWarn).Writer() != nil, reflect.TypeOf(l) == reflect.TypeOf(server.Config.ErrorLog)", "true true\n"},
	} {
		if got := r.Run(1, tt[0]); got != tt[1] {
			t.Errorf("%s:\n%swant\n%s", tt[0], got, tt[1])
		}
	}
}
