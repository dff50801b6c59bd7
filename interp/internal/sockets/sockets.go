// Package sockets says what listeners and connections are: the socket below TLS, whether it is open, its address.
package sockets

import (
	"net"
	"reflect"
	"syscall"
)

// Raw is the socket below TLS, whose own Close may wait for the other side; nil when there is none.
func Raw(socket any) any {
	for range 4 {
		if _, ok := socket.(syscall.Conn); ok {
			return socket
		}
		if c, ok := socket.(interface{ NetConn() net.Conn }); ok {
			socket = c.NetConn()
			continue
		}
		v := reflect.Indirect(reflect.ValueOf(socket))
		if v.Kind() != reflect.Struct {
			return nil
		}
		inner := v.FieldByName("Listener") // of what crypto/tls makes of one
		if !inner.IsValid() || inner.Kind() != reflect.Interface || inner.IsNil() || !inner.CanInterface() {
			return nil
		}
		socket = inner.Interface()
	}
	return nil
}

// Is reports whether a listener or connection has a socket of the system.
func Is(socket any) bool { return Raw(socket) != nil }

// IsOpen reports whether a listener or connection is not closed. What is not a socket is taken for closed.
func IsOpen(socket any) bool {
	raw, ok := Raw(socket).(syscall.Conn)
	if !ok {
		return false
	}
	c, err := raw.SyscallConn()
	return err == nil && c.Control(func(uintptr) {}) == nil
}

// AddressText is how an address is written for the user.
func AddressText(a net.Addr) string {
	if a == nil {
		return "an unknown address"
	}
	if a.String() == "" || a.String() == "@" {
		return "an unnamed socket"
	}
	return a.String()
}

// Port is the port of an address of TCP or UDP, 0 of others.
func Port(a net.Addr) int {
	switch a := a.(type) {
	case *net.TCPAddr:
		return a.Port
	case *net.UDPAddr:
		return a.Port
	}
	return 0
}
