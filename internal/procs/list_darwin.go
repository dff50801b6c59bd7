package procs

import (
	"time"

	"golang.org/x/sys/unix"
)

// zombie is the state SZOMB of sys/proc.h.
const zombie = 5

// List returns the table.
func List() (table []Process) {
	all, err := unix.SysctlKinfoProcSlice("kern.proc.all")
	if err != nil {
		return nil
	}
	for _, k := range all {
		p := Process{PID: int(k.Proc.P_pid), Parent: int(k.Eproc.Ppid), Group: int(k.Eproc.Pgid), Zombie: k.Proc.P_stat == zombie}
		p.Session, _ = unix.Getsid(p.PID)
		began := time.Unix(k.Proc.P_starttime.Unix())
		p.start, p.Age = uint64(began.UnixNano()), max(1, time.Since(began))
		table = append(table, p)
	}
	return table
}
