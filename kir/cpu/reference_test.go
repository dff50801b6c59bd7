package cpu_test

import (
	"github.com/arrayrepl/arrayrepl/kir/cpu"
	"github.com/arrayrepl/arrayrepl/kir/opt"
)

func init() { cpu.SetOptimize(opt.Optimize) }
