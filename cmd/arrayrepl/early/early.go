// Package early opens the ports of a kernel before the rest of the program has initialised. A client tries to connect
// milliseconds after it has started the kernel, and libzmq, refused, tries again after 100 to 200: a client that finds
// the ports open waits for the answer alone.
//
// Go initialises, again and again, the first package by import path whose imports are initialised (The Go Programming
// Language Specification, "Package initialization"). This one imports so little that its turn comes among the first,
// after 2 to 3 ms of the 13 that all take. It may import no package net, whose turn comes late, and what goes wrong
// here is nobody's loss: the kernel opens then what is not open, and says why it cannot.
package early

import (
	"encoding/json"
	"io"
	"os"
)

// Opened has the sockets that listen, by port, when the program was started as "kernel ... CONNECTION_FILE" and the
// file names ports of an IPv4 address; otherwise it is nil. Who takes it closes the files.
var Opened map[int]*os.File

func init() {
	if n := len(os.Args); n > 2 && os.Args[1] == "kernel" {
		Opened = open(os.Args[n-1])
	}
}

// open opens all ports of a connection file, or none.
func open(path string) map[int]*os.File {
	file, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, 1<<20)) // as kernel.ReadConnection
	if err != nil {
		return nil
	}
	var c struct {
		Transport string
		IP        string
		Shell     int `json:"shell_port"`
		Control   int `json:"control_port"`
		Stdin     int `json:"stdin_port"`
		IOPub     int `json:"iopub_port"`
		HB        int `json:"hb_port"`
	}
	if json.Unmarshal(data, &c) != nil || c.Transport != "" && c.Transport != "tcp" {
		return nil
	}
	ip, ok := parseIPv4(c.IP)
	if !ok {
		return nil
	}
	files := map[int]*os.File{}
	for _, port := range []int{c.Shell, c.Control, c.Stdin, c.IOPub, c.HB} {
		f, err := listen(ip, port)
		if err != nil {
			for _, f := range files {
				f.Close()
			}
			return nil
		}
		files[port] = f
	}
	return files
}

// parseIPv4 reads four numbers with dots between.
func parseIPv4(s string) (ip [4]byte, ok bool) {
	part, n, digits := 0, 0, 0
	for i := 0; i <= len(s); i++ {
		switch {
		case i == len(s) || s[i] == '.':
			if digits == 0 || part > 3 {
				return ip, false
			}
			ip[part] = byte(n)
			part, n, digits = part+1, 0, 0
		case s[i] >= '0' && s[i] <= '9':
			n, digits = 10*n+int(s[i]-'0'), digits+1
			if n > 255 || digits > 3 {
				return ip, false
			}
		default:
			return ip, false
		}
	}
	return ip, part == 4
}
