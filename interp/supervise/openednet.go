package supervise

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"os"
	"reflect"
	"strings"
	"syscall"
	"time"
	"unsafe"

	"github.com/arrayrepl/arrayrepl/internal/golabel"
	"github.com/arrayrepl/arrayrepl/interp/internal/sockets"
)

// listened keeps a listener that a cell has opened, or a packet connection that waits for packets. An error that says
// that the port is in use says who uses it.
func listened[T any](s *Supervisor, address string, l T, err error) (T, error) {
	if err != nil {
		return l, s.busyPort(address, err)
	}
	text := "listener on "
	var at net.Addr
	switch l := any(l).(type) {
	case net.Listener:
		at = l.Addr()
	case net.PacketConn:
		at, text = l.LocalAddr(), "packet listener on "
	}
	if o := keepSocket(s, l, text+sockets.AddressText(at)); o != nil {
		o.port = sockets.Port(at)
	}
	return l, nil
}

// connected keeps a connection that a cell has opened or accepted.
func connected[T any](s *Supervisor, c T, err error) (T, error) {
	if conn, ok := any(c).(net.Conn); ok && err == nil && conn != nil {
		text := "connection"
		if to := conn.RemoteAddr(); to != nil {
			text += " with " + sockets.AddressText(to)
		}
		keepSocket(s, c, text)
	}
	return c, err
}

// keepSocket keeps a listener or a connection, which must be a pointer.
func keepSocket(s *Supervisor, socket any, text string) *opened {
	v := reflect.ValueOf(socket)
	if v.Kind() != reflect.Pointer || v.IsNil() || !sockets.Is(socket) {
		return nil
	}
	t := v.Type().Elem()
	again := func(p *byte) any { return reflect.NewAt(t, unsafe.Pointer(p)).Interface() }
	return keepOpen(s, (*byte)(v.UnsafePointer()), &opened{text: text},
		func(p *byte) bool { return sockets.IsOpen(again(p)) },
		func(p *byte) {
			if raw, ok := sockets.Raw(again(p)).(interface{ Close() error }); ok {
				raw.Close()
			}
		})
}

// busyError is an error of the system with what is known of its cause.
type busyError struct {
	error
	note string
}

func (e *busyError) Error() string { return e.error.Error() + " (" + e.note + ")" }

func (e *busyError) Unwrap() error { return e.error }

// busyPort adds to an error which cell listens at the address already.
func (s *Supervisor) busyPort(address string, err error) error {
	var op *net.OpError
	if !errors.As(err, &op) || op.Addr == nil || sockets.Port(op.Addr) == 0 || !portInUse(err) {
		return err
	}
	port := sockets.Port(op.Addr)
	var note string
	s.opened.each(func(o *opened) {
		if o.port != port || note != "" {
			return
		}
		who := fmt.Sprintf("cell %d", o.by.run.cell)
		if o.by.run.cell == 0 {
			who = "a callback"
		}
		if note = who + " listens on it"; !o.by.run.goesOn() {
			note = fmt.Sprintf("%s still listens on it: %%kill %d", who, s.numberOf(o))
		}
	})
	if note == "" {
		return err
	}
	with := *op
	with.Err = &busyError{op.Err, note}
	return &with
}

func portInUse(err error) bool {
	return errors.Is(err, syscall.EADDRINUSE) || strings.Contains(err.Error(), "Only one usage of each socket address")
}

// numberOf returns the number of a job.
func (s *Supervisor) numberOf(o *opened) int64 {
	s.jobs()
	return o.job.Load()
}

// sockets are functions that cells call in the place of those that open listeners and connections.
func (s *Supervisor) sockets() map[string]any {
	type (
		listenConfig = net.ListenConfig
		dialer       = net.Dialer
	)
	return map[string]any{
		"net.Listen": func(network, address string) (net.Listener, error) {
			l, err := net.Listen(network, address)
			return listened(s, address, l, err)
		},
		"net.ListenTCP": func(network string, a *net.TCPAddr) (*net.TCPListener, error) {
			l, err := net.ListenTCP(network, a)
			return listened(s, "", l, err)
		},
		"net.ListenUnix": func(network string, a *net.UnixAddr) (*net.UnixListener, error) {
			l, err := net.ListenUnix(network, a)
			return listened(s, "", l, err)
		},
		"net.ListenPacket": func(network, address string) (net.PacketConn, error) {
			c, err := net.ListenPacket(network, address)
			return listened(s, address, c, err)
		},
		"net.ListenUDP": func(network string, a *net.UDPAddr) (*net.UDPConn, error) {
			c, err := net.ListenUDP(network, a)
			return listened(s, "", c, err)
		},
		"net.ListenMulticastUDP": func(network string, i *net.Interface, a *net.UDPAddr) (*net.UDPConn, error) {
			c, err := net.ListenMulticastUDP(network, i, a)
			return listened(s, "", c, err)
		},
		"net.ListenIP": func(network string, a *net.IPAddr) (*net.IPConn, error) {
			c, err := net.ListenIP(network, a)
			return listened(s, "", c, err)
		},
		"net.ListenUnixgram": func(network string, a *net.UnixAddr) (*net.UnixConn, error) {
			c, err := net.ListenUnixgram(network, a)
			return listened(s, "", c, err)
		},
		"net.FileListener": func(f *os.File) (net.Listener, error) {
			l, err := net.FileListener(f)
			return listened(s, "", l, err)
		},
		"(*net.ListenConfig).Listen": func(c *listenConfig, ctx context.Context, network, address string) (net.Listener, error) {
			l, err := c.Listen(ctx, network, address)
			return listened(s, address, l, err)
		},
		"(*net.ListenConfig).ListenPacket": func(c *listenConfig, ctx context.Context, network, address string) (net.PacketConn, error) {
			p, err := c.ListenPacket(ctx, network, address)
			return listened(s, address, p, err)
		},
		"crypto/tls.Listen": func(network, address string, c *tls.Config) (net.Listener, error) {
			l, err := tls.Listen(network, address, c)
			return listened(s, address, l, err)
		},

		"net.Dial": func(network, address string) (net.Conn, error) {
			c, err := net.Dial(network, address)
			return connected(s, c, err)
		},
		"net.DialTimeout": func(network, address string, d time.Duration) (net.Conn, error) {
			c, err := net.DialTimeout(network, address, d)
			return connected(s, c, err)
		},
		"net.DialTCP": func(network string, from, to *net.TCPAddr) (*net.TCPConn, error) {
			c, err := net.DialTCP(network, from, to)
			return connected(s, c, err)
		},
		"net.DialUDP": func(network string, from, to *net.UDPAddr) (*net.UDPConn, error) {
			c, err := net.DialUDP(network, from, to)
			return connected(s, c, err)
		},
		"net.DialIP": func(network string, from, to *net.IPAddr) (*net.IPConn, error) {
			c, err := net.DialIP(network, from, to)
			return connected(s, c, err)
		},
		"net.DialUnix": func(network string, from, to *net.UnixAddr) (*net.UnixConn, error) {
			c, err := net.DialUnix(network, from, to)
			return connected(s, c, err)
		},
		"(*net.Dialer).Dial": func(d *dialer, network, address string) (net.Conn, error) {
			c, err := d.Dial(network, address)
			return connected(s, c, err)
		},
		"(*net.Dialer).DialContext": func(d *dialer, ctx context.Context, network, address string) (net.Conn, error) {
			c, err := d.DialContext(ctx, network, address)
			return connected(s, c, err)
		},
		"crypto/tls.Dial": func(network, address string, c *tls.Config) (*tls.Conn, error) {
			t, err := tls.Dial(network, address, c)
			return connected(s, t, err)
		},
		"crypto/tls.DialWithDialer": func(d *dialer, network, address string, c *tls.Config) (*tls.Conn, error) {
			t, err := tls.DialWithDialer(d, network, address, c)
			return connected(s, t, err)
		},
		"(*crypto/tls.Dialer).Dial": func(d *tls.Dialer, network, address string) (net.Conn, error) {
			c, err := d.Dial(network, address)
			return connected(s, c, err)
		},
		"(*crypto/tls.Dialer).DialContext": func(d *tls.Dialer, ctx context.Context, network, address string) (net.Conn, error) {
			c, err := d.DialContext(ctx, network, address)
			return connected(s, c, err)
		},

		"(*net.TCPListener).Accept": func(l *net.TCPListener) (net.Conn, error) {
			c, err := l.Accept()
			return accepted(s, l, c, err)
		},
		"(*net.TCPListener).AcceptTCP": func(l *net.TCPListener) (*net.TCPConn, error) {
			c, err := l.AcceptTCP()
			return accepted(s, l, c, err)
		},
		"(*net.UnixListener).Accept": func(l *net.UnixListener) (net.Conn, error) {
			c, err := l.Accept()
			return accepted(s, l, c, err)
		},
		"(*net.UnixListener).AcceptUnix": func(l *net.UnixListener) (*net.UnixConn, error) {
			c, err := l.AcceptUnix()
			return accepted(s, l, c, err)
		},
	}
}

// accepted keeps a connection that a cell has accepted. Where the session has closed the listener, the goroutine ends:
// its loop would see nothing but errors.
func accepted[T any](s *Supervisor, l any, c T, err error) (T, error) {
	if err == nil {
		return connected(s, c, nil)
	}
	s.endWith(s.opened.of(reflect.ValueOf(l).UnsafePointer()))
	return c, err
}

// endWith ends the calling goroutine when it is a cell's and o was closed by the session.
func (s *Supervisor) endWith(o *opened) {
	if o == nil || !o.closed.Load() {
		return
	}
	if c := s.owners.of(golabel.Current()); c != nil {
		c.run.stopHere(c.run.where)
	}
}

// accept is the hook of Accept methods that are called through interfaces.
func (s *Supervisor) accept(l net.Listener) (net.Conn, error) {
	c, err := l.Accept()
	if v := reflect.ValueOf(l); v.Kind() == reflect.Pointer {
		return accepted(s, l, c, err)
	}
	return c, err
}
