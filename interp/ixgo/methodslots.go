package ixgo

import (
	"cmp"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/goplus/ixgo"
	"github.com/goplus/reflectx"
	"golang.org/x/tools/go/ssa"

	"github.com/arrayrepl/arrayrepl/interp/engine"
	"github.com/arrayrepl/arrayrepl/interp/internal/typeinfo"
)

// Compiled code calls the methods of run-time types through a table, which has so many slots and is of the process.
// What a program takes of it is counted while its types are made: a program that takes too much is given up, and the
// error says which packages wanted how many.

// slotReserve are slots that are left for methods that embedded fields bring: reflectx remembers those for ever, so one
// must not be without its slot.
const slotReserve = 2048

// slotCount counts the slots that the types of one program ask for.
type slotCount struct {
	wanted map[string]int // by package
	lack   bool
}

// slotsLost is set when a method that reflectx remembers has no slot: no program of this process can be trusted to call
// it.
var slotsLost atomic.Bool

// countSlots has ixgo ask which methods get a slot. The answers are ixgo's own, as long as there are slots.
func (e *Engine) countSlots() {
	needs := e.ctx.MethodChecker
	e.ctx.MethodChecker = func(ctx *ixgo.Context, prog *ssa.Program) func(reflect.Type, reflectx.Method) bool {
		needsSlot := needs(ctx, prog)
		count := &e.slotsOf
		*count = slotCount{}
		return func(t reflect.Type, m reflectx.Method) bool {
			if m.FuncId > 0 {
				unsharePromoted()
			}
			provideDirect().ask(m.Name)
			if !needsSlot(t, m) {
				return false
			}
			if count.wanted == nil {
				count.wanted = map[string]int{}
			}
			count.wanted[strings.TrimSuffix(t.PkgPath(), typeinfo.PatchSuffix)]++
			_, _, free := ixgo.IcallStat()
			remembered := m.FuncId > 0
			if remembered && free > 2 {
				return true
			}
			if remembered {
				slotsLost.Store(true)
			}
			count.lack = count.lack || free < slotReserve
			return !count.lack
		}
	}
}

// slotError is the error of a program whose types have asked for more slots than there were; nil when there were
// enough.
func (e *Engine) slotError() error {
	const restart = "the session has used up its run-time methods: restart it"
	if slotsLost.Load() {
		return fmt.Errorf("%s", restart)
	}
	if !e.slotsOf.lack {
		return nil
	}
	wanted := e.slotsOf.wanted
	paths := slices.SortedFunc(maps.Keys(wanted), func(x, y string) int {
		return cmp.Or(wanted[y]-wanted[x], strings.Compare(x, y))
	})
	total := 0
	var parts []string
	for i, p := range paths {
		total += wanted[p]
		name := p
		switch p {
		case engine.CellPath:
			name = "the session's own"
		case "":
			name = "types without a name"
		}
		if i < 5 {
			parts = append(parts, fmt.Sprintf("%s %d", name, wanted[p]))
		}
	}
	all, used, _ := ixgo.IcallStat()
	why := fmt.Sprintf("the types of this cell have %d methods (%s), and of the session's %d run-time methods %d are in use",
		total, strings.Join(parts, ", "), all-slotReserve, used)
	if total > all-slotReserve {
		return fmt.Errorf("%s: no session can hold them; import fewer packages", why)
	}
	return fmt.Errorf("%s; %s", why, restart)
}
