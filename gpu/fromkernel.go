package gpu

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/arrayrepl/arrayrepl/gpu/emulate"
	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/gosrc"
)

// FireAndForget launches a kernel from a kernel: the thread goes on, and the new grid runs when there is room for it.
// The launch of the host is over when all that has been launched so has ended. It is CUDA's launch on the stream
// cudaStreamFireAndForget, for compute capability 3.5 and on.
//
// The arguments are those of the kernel: numbers of its parameters' types, and slices of memory that lives longer than
// the thread: the kernel's own slices and parts of them. One launch of a kernel may ask for as many others as
// [PendingLaunches] says, and launches from launches may be [MaxNesting] deep. What nothing orders, the runtime does
// in the order of the threads' numbers: every device gives the same results. A program of [Launch] alone needs none of
// this: a second launch by the host is simpler, and on most machines faster.
//
// For example:
//
//	func refine(x []float32, lo, n int) {
//		if n > 64 && gpu.GlobalID() == 0 {
//			gpu.FireAndForget(refine, 1, 32, x, lo, n/2)
//			gpu.FireAndForget(refine, 1, 32, x, lo+n/2, n-n/2)
//		}
//	}
func FireAndForget(kernel any, grid, block any, args ...any) {
	ask("FireAndForget", false, kernel, grid, block, args)
}

// TailLaunch launches a kernel from a kernel, when the grid of the thread and all that it has launched by
// [FireAndForget] have ended: the new grid sees all that they have written. Tail launches of one grid run one after
// another. It is CUDA's launch on the stream cudaStreamTailLaunch; for the rest [FireAndForget] says what holds. A
// kernel that launches itself so, as the last step of a loop, is not nested deeper each time.
//
// For example:
//
//	func relax(x, next []float32, steps int) {
//		i := gpu.GlobalID()
//		next[i] = (x[max(i-1, 0)] + x[min(i+1, len(x)-1)]) / 2
//		if i == 0 && steps > 1 {
//			gpu.TailLaunch(relax, gpu.GridDimX(), gpu.BlockDimX(), next, x, steps-1)
//		}
//	}
func TailLaunch(kernel any, grid, block any, args ...any) {
	ask("TailLaunch", true, kernel, grid, block, args)
}

// MaxNesting is how deep launches from kernels may be in one another, as in CUDA.
const MaxNesting = 24

// defaultPending is what CUDA's cudaLimitDevRuntimePendingLaunchCount is where nobody has set it.
const defaultPending = 2048

// maxPending bounds the memory of the queue.
const maxPending = 1 << 20

// PendingLaunches lets a grid ask for up to n launches by [FireAndForget] and [TailLaunch], where it is 2048 else. It
// is CUDA's cudaLimitDevRuntimePendingLaunchCount.
//
// For example:
//
//	gpu.Launch(quick, 1, 32, x, 0, len(x), gpu.PendingLaunches(10000))
func PendingLaunches(n int) Option { return Option{pending: n} }

// capacity is how many launches a grid may ask for.
func (o Option) capacity() int { return cmp.Or(o.pending, defaultPending) }

// tooMany is the error of a grid that has asked for more.
func tooMany(kernel string, asked, capacity int) error {
	return fmt.Errorf("kernel %s has asked for %d launches, and there is room for %d until it has ended: gpu.PendingLaunches(%d) among the arguments of gpu.Launch makes more",
		kernel, asked, capacity, asked)
}

// tooDeep is the error of a launch that is nested too deep.
func tooDeep(kernel string) error {
	return fmt.Errorf("kernel %s would be launched %d levels deep, and launches from kernels may be %d: end the recursion earlier, or use gpu.TailLaunch, which is not nested",
		kernel, MaxNesting+1, MaxNesting)
}

// drain runs a grid and all that is launched from it. run runs some grids that wait for none of each other, at a depth,
// and returns what each has asked for in the order of its threads. The grids of a level run together, those that they
// ask for after them, and then what each of them has asked for at its end: an order that CUDA may have, too.
func drain[G any](grids []G, depth int, run func(grids []G, depth int) ([]requests[G], error)) error {
	for len(grids) > 0 {
		asked, err := run(grids, depth)
		if err != nil {
			return err
		}
		var now, tails []G
		for _, a := range asked {
			now, tails = append(now, a.now...), append(tails, a.tail...)
		}
		if len(now) > 0 {
			if err := drain(now, depth+1, run); err != nil {
				return err
			}
		}
		grids = nil
		for i := range tails {
			if i == len(tails)-1 {
				grids = tails[i:] // a loop of tail launches is a loop here
			} else if err := drain(tails[i:i+1], depth, run); err != nil {
				return err
			}
		}
	}
	return nil
}

// requests are the launches that a grid has asked for.
type requests[G any] struct{ now, tail []G }

// asked is a request in gpu.Emulate.
type asked struct {
	thread int
	tail   bool
	launch *launch
}

// askedBy collects what the threads of an emulated grid ask for.
type askedBy struct {
	mu     sync.Mutex
	option Option
	all    []asked
}

// ask notes a request of an emulated thread.
func ask(name string, tail bool, kernel, grid, block any, args []any) {
	t := emulate.Current(name)
	by, ok := t.Asked.(*askedBy)
	if !ok {
		panic(fmt.Errorf("gpu.%s is for kernels that gpu.Launch, gpu.Emulate or gpu.Check runs", name))
	}
	f, err := calledFunction(kernel)
	if err != nil {
		panic(err)
	}
	l, err := newLaunch(&Function{f: f}, grid, block, args)
	if err != nil {
		panic(err)
	}
	l.option = by.option.forLaunched()
	at, n := [3]int{}, 0
	for i := 2; i >= 0; i-- {
		n = n*t.GridDim[i] + t.Block[i]
		at[i] = t.Index[i]
	}
	for i := 2; i >= 0; i-- {
		n = n*t.BlockDim[i] + at[i]
	}
	by.mu.Lock()
	defer by.mu.Unlock()
	by.all = append(by.all, asked{n, tail, l})
}

// calledFunction is a function that is to be called as it is: it needs no source.
func calledFunction(kernel any) (*gosrc.Func, error) {
	switch k := kernel.(type) {
	case *gosrc.Func:
		return k, nil
	case *Function:
		if k != nil && k.f != nil {
			return k.f, nil
		}
	}
	if r := reflect.ValueOf(kernel); r.Kind() == reflect.Func && !r.IsNil() {
		if f, err := gosrc.FuncOf(kernel); err == nil {
			return f, nil
		}
		name := runtime.FuncForPC(r.Pointer()).Name()
		return &gosrc.Func{Name: name[strings.LastIndex(name, ".")+1:], Value: kernel}, nil
	}
	return nil, errors.New("a launch from a kernel names a Go function")
}

// emulateAll emulates the launch and all that is launched from it.
func (l *launch) emulateAll() error {
	var backs []func()
	err := drain([]*launch{l}, 0, func(grids []*launch, depth int) (out []requests[*launch], err error) {
		for _, g := range grids {
			if depth > MaxNesting {
				return nil, tooDeep(g.f.name())
			}
			by := &askedBy{option: l.option}
			back, err := g.emulate(by)
			if err != nil {
				return nil, err
			}
			backs = append(backs, back)
			if n := l.option.capacity(); len(by.all) > n {
				return nil, tooMany(g.f.name(), len(by.all), n)
			}
			slices.SortStableFunc(by.all, func(a, b asked) int { return cmp.Compare(a.thread, b.thread) })
			var r requests[*launch]
			for _, a := range by.all {
				if a.tail {
					r.tail = append(r.tail, a.launch)
				} else {
					r.now = append(r.now, a.launch)
				}
			}
			out = append(out, r)
		}
		return out, nil
	})
	if err != nil {
		return err
	}
	for _, back := range backs {
		back()
	}
	return nil
}

// nested returns f for a launch from a kernel.
func nested(f *kir.Func, how int) *kir.Func {
	g := *f
	g.Bounds.Nested = how
	return &g
}
