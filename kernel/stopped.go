package kernel

import (
	"fmt"
	"time"
)

const (
	watchTick = time.Second // how often a session that should answer soon is looked at
	// how long it may take to hear of an interrupt: its machine may be out of memory, and swapping
	deafGrace = 10 * time.Second
)

// interrupt interrupts a call. Nobody waits here for a session that does not read.
func (p *process) interrupt(id uint64) {
	p.mu.Lock()
	p.deaf[id] = true
	p.mu.Unlock()
	go p.link.send(frame{Op: opInterrupt, ID: id})
}

// unable says why the session cannot answer the call id now, nil when it can or that is not known. interrupted is when
// the call was, zero for not.
func (p *process) unable(id uint64, interrupted time.Time) error {
	pid := p.cmd.Process.Pid
	if isStopped(pid) {
		return &CellError{Name: "SessionStopped", Value: fmt.Sprintf("the session's process is stopped, by SIGSTOP or by a debugger, and can neither go on nor be interrupted. "+
			"kill -CONT %d lets it go on; a restart of the kernel ends it", pid)}
	}
	p.mu.Lock()
	deaf := p.deaf[id]
	p.mu.Unlock()
	if deaf && !interrupted.IsZero() && time.Since(interrupted) > deafGrace {
		return &CellError{Name: "SessionSilent", Value: fmt.Sprintf("the session's process, %d, has not heard of the interrupt for %v: is the machine out of memory? "+
			"The interrupt reaches the cell when the process goes on; a restart of the kernel ends it", pid, deafGrace)}
	}
	return nil
}
