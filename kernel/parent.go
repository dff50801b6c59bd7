package kernel

import (
	"context"
	"os"
	"strconv"
	"time"
)

// watchParent calls stop when the Jupyter server that started this process is gone: nobody could reach the kernel
// again, and it would stay for ever. Jupyter names itself in JPY_PARENT_PID. Where a process keeps its parent's number
// for life (Windows) nothing is ever noticed here.
func watchParent(ctx context.Context, stop context.CancelFunc) {
	parent, err := strconv.Atoi(os.Getenv("JPY_PARENT_PID"))
	if err != nil || parent <= 1 || parent != os.Getppid() {
		return // started by hand, or through another program
	}
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			if os.Getppid() != parent {
				stop()
				return
			}
		case <-ctx.Done():
			return
		}
	}
}
