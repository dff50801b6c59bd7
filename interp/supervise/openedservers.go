package supervise

import (
	"cmp"
	"net"
	"net/http"
	"net/http/httptest"
	"reflect"
	"weak"

	"github.com/arrayrepl/arrayrepl/interp/internal/sockets"
)

// server is what serves a listener.
type server struct {
	by   *crew // whose goroutine serves; of a run that is halted it ends
	what string
	http weak.Pointer[http.Server]
}

// close closes its listeners and connections.
func (sv *server) close() {
	if h := sv.http.Value(); h != nil {
		h.Close()
	}
}

// serve serves l, which a cell has opened, until it is closed.
func (s *Supervisor) serve(h *http.Server, l net.Listener, what string, serve func() error) error {
	o := s.openedFor(l)
	if o != nil {
		by, _ := s.here()
		o.server.Store(&server{by: by, what: what, http: weak.Make(h)})
		if o.closed.Load() || by != nil && by.abandoned.Load() { // meanwhile, by who ended the run
			o.end()
		}
	}
	err := serve()
	s.endWith(o)
	return err
}

// openedFor returns what is kept for a listener; one that is not known is kept from now on.
func (s *Supervisor) openedFor(l net.Listener) *opened {
	v := reflect.ValueOf(l)
	if v.Kind() != reflect.Pointer || v.IsNil() {
		return nil
	}
	if o := s.opened.of(v.UnsafePointer()); o != nil {
		return o
	}
	return keepSocket(s, l, "listener on "+sockets.AddressText(l.Addr()))
}

// listenAndServe is (*http.Server).ListenAndServe, and ListenAndServeTLS with files.
func (s *Supervisor) listenAndServe(h *http.Server, secure bool, cert, key string) error {
	address := cmp.Or(h.Addr, ":http")
	if secure {
		address = cmp.Or(h.Addr, ":https")
	}
	l, err := net.Listen("tcp", address)
	if l, err = listened(s, address, l, err); err != nil {
		return err
	}
	defer l.Close()
	return s.serveHTTP(h, l, secure, cert, key)
}

func (s *Supervisor) serveHTTP(h *http.Server, l net.Listener, secure bool, cert, key string) error {
	if secure {
		return s.serve(h, l, "HTTPS server", func() error { return h.ServeTLS(l, cert, key) })
	}
	return s.serve(h, l, "HTTP server", func() error { return h.Serve(l) })
}

// httpServers are functions that cells call in the place of those that serve HTTP.
func (s *Supervisor) httpServers() map[string]any {
	return map[string]any{
		"net/http.ListenAndServe": func(address string, h http.Handler) error {
			return s.listenAndServe(&http.Server{Addr: address, Handler: h}, false, "", "")
		},
		"net/http.ListenAndServeTLS": func(address, cert, key string, h http.Handler) error {
			return s.listenAndServe(&http.Server{Addr: address, Handler: h}, true, cert, key)
		},
		"net/http.Serve": func(l net.Listener, h http.Handler) error {
			return s.serveHTTP(&http.Server{Handler: h}, l, false, "", "")
		},
		"net/http.ServeTLS": func(l net.Listener, h http.Handler, cert, key string) error {
			return s.serveHTTP(&http.Server{Handler: h}, l, true, cert, key)
		},
		"(*net/http.Server).ListenAndServe": func(h *http.Server) error { return s.listenAndServe(h, false, "", "") },
		"(*net/http.Server).ListenAndServeTLS": func(h *http.Server, cert, key string) error {
			return s.listenAndServe(h, true, cert, key)
		},
		"(*net/http.Server).Serve": func(h *http.Server, l net.Listener) error { return s.serveHTTP(h, l, false, "", "") },
		"(*net/http.Server).ServeTLS": func(h *http.Server, l net.Listener, cert, key string) error {
			return s.serveHTTP(h, l, true, cert, key)
		},

		"net/http/httptest.NewServer": func(h http.Handler) *httptest.Server { return s.testServer(httptest.NewServer(h)) },
		"net/http/httptest.NewTLSServer": func(h http.Handler) *httptest.Server {
			return s.testServer(httptest.NewTLSServer(h))
		},
		"(*net/http/httptest.Server).Start": func(t *httptest.Server) {
			t.Start()
			s.testServer(t)
		},
		"(*net/http/httptest.Server).StartTLS": func(t *httptest.Server) {
			t.StartTLS()
			s.testServer(t)
		},
	}
}

// testServer keeps a server that listens.
func (s *Supervisor) testServer(t *httptest.Server) *httptest.Server {
	o := keepOpen(s, t, &opened{text: "test server on " + t.URL},
		func(t *httptest.Server) bool { return sockets.IsOpen(t.Listener) },
		func(t *httptest.Server) { // its own Close waits for requests
			t.Config.Close()
			t.Listener.Close()
		})
	o.port = sockets.Port(t.Listener.Addr())
	return t
}
