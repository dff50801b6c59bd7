//go:build unix

package early

import (
	"errors"
	"os"
	"syscall"
)

// backlog is how many connections may wait; a system with a lower limit takes its own.
const backlog = 4096

// listen opens a port as net.Listen does.
func listen(ip [4]byte, port int) (*os.File, error) {
	if port <= 0 || port > 65535 {
		return nil, errors.New("no port")
	}
	fd, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM, 0)
	if err != nil {
		return nil, err
	}
	syscall.CloseOnExec(fd) // nothing starts a program yet
	err = syscall.SetNonblock(fd, true)
	if err == nil {
		err = syscall.SetsockoptInt(fd, syscall.SOL_SOCKET, syscall.SO_REUSEADDR, 1)
	}
	if err == nil {
		err = syscall.Bind(fd, &syscall.SockaddrInet4{Addr: ip, Port: port})
	}
	if err == nil {
		err = syscall.Listen(fd, backlog)
	}
	if err != nil {
		syscall.Close(fd)
		return nil, err
	}
	return os.NewFile(uintptr(fd), "port"), nil
}
