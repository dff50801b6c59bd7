//go:build !unix

package procs

import "os"

// interrupt ends the process: no signals can be sent here.
func interrupt(pid int) { Kill([]Process{{PID: pid}}) }

// Own is not known here: there are no groups.
func Own() (group int, alone bool) { return os.Getpid(), false }
