//go:build unix

package kernel

import (
	"os"
	"os/signal"
	"runtime"
	"syscall"
)

// watchUse logs what this process uses whenever it gets SIGUSR1: for whoever looks for a leak.
func (k *kernel) watchUse() {
	sig := make(chan os.Signal, 1)
	signal.Notify(sig, syscall.SIGUSR1)
	defer signal.Stop(sig)
	for {
		select {
		case <-sig:
			var m runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&m)
			k.logf("in use: %d goroutines, %d bytes", runtime.NumGoroutine(), m.HeapAlloc)
		case <-k.ctx.Done():
			return
		}
	}
}
