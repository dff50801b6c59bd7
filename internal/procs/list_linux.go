package procs

import (
	"bytes"
	"os"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// tick is the unit in which Linux tells when a process started: USER_HZ, which is 100 on all that Go runs on.
const tick = 10 * time.Millisecond

// List returns the table.
func List() (table []Process) {
	dir, err := os.Open("/proc")
	if err != nil {
		return nil
	}
	defer dir.Close()
	names, _ := dir.Readdirnames(-1)
	var now unix.Timespec
	unix.ClockGettime(unix.CLOCK_BOOTTIME, &now)
	for _, name := range names {
		pid, err := strconv.Atoi(name)
		if err != nil {
			continue
		}
		stat, err := os.ReadFile("/proc/" + name + "/stat")
		if err != nil {
			continue // it has ended
		}
		// The name of the program, in parentheses, may hold anything. Behind it stand state, parent, group, session,
		// ...
		f := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
		if len(f) < 20 {
			continue
		}
		p := Process{PID: pid, Parent: number(f[1]), Group: number(f[2]), Session: number(f[3])}
		p.Zombie = f[0][0] == 'Z' || f[0][0] == 'X'
		p.start = uint64(number(f[19]))
		p.Age = max(1, time.Duration(now.Nano())-time.Duration(p.start)*tick)
		table = append(table, p)
	}
	return table
}

func number(b []byte) int {
	n, _ := strconv.Atoi(string(b))
	return n
}
