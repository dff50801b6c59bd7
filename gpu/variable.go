package gpu

import (
	"bytes"
	"fmt"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
	"unsafe"
	"weak"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/internal/kernelcall"
	"github.com/arrayrepl/arrayrepl/kir/gosrc"
	"github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload/device"
)

// Variable is a variable of a package that kernels use, as CUDA's __device__ variables: each device has a copy in its
// global memory, which lives as long as the variable does.
//
//	var hits int32
//	func count(x []float32) { if x[gpu.GlobalID()] > 0 { gpu.AtomicAdd(&hits, 1) } }
//	gpu.Launch(count, 64, 256, x)
//	hits
//
// What the program assigns goes to all devices when the next kernel that uses the variable is launched. When a kernel
// that may write to it has run, the program's variable has the value of the device that ran it; such a launch is not
// lazy. Several devices that are in use together, as after np.Use("sim:v100x8"), have one copy between them.
//
// [CopyTo] and [CopyFrom] set and read the copy of the device in use alone. A launch on a device whose copy differs
// from what the program has, since another device has changed it, is an error: CopyTo(&hits, hits) takes the value
// over, CopyTo(&hits, CopyFrom(&hits)) goes on with the device's own.
type Variable struct {
	typ  reflect.Type
	host []byte // the program's
	on   string // the devices
	v    *deviceVariable
}

// VariableOf returns the variable that p points to, as kernels on the devices that np.Use has chosen see it. It panics
// with *Error when p does not point to numbers, bools, or structs and arrays of them.
func VariableOf(p any) *Variable {
	v, err := variableOf(p, "", lazy.Runtime().InUse())
	if err != nil {
		panic(&Error{Err: err})
	}
	return v
}

// Value returns the value on the device, of the variable's type.
//
// It panics with *Error when the device has none, since a launch of a stream that may have written to it has failed.
func (v *Variable) Value() any {
	v.v.mu.Lock()
	defer v.v.mu.Unlock()
	v.v.settle(v.host, v.on)
	v.v.follow(v.host)
	here := v.v.copyOn(v.on)
	if err := here.lost(v); err != nil {
		panic(&Error{Err: err})
	}
	x := reflect.New(v.typ)
	copy(memoryOf(x), here.array.Array().Bytes())
	return x.Elem().Interface()
}

// Set gives the variable another value on the device; other devices keep theirs. The program's variable gets it too. It
// panics with *Error when x is of another type.
func (v *Variable) Set(x any) {
	r := reflect.New(v.typ)
	if t := reflect.TypeOf(x); t != v.typ {
		panic(&Error{Err: fmt.Errorf("a variable of type %v cannot be set to a %v", v.typ, t)})
	}
	r.Elem().Set(reflect.ValueOf(x))
	b := memoryOf(r)
	v.v.mu.Lock()
	defer v.v.mu.Unlock()
	v.v.follow(v.host)
	v.v.on[v.on] = copyOf(b)
	v.v.back(v.host, b, v.on)
}

// memoryOf returns the memory that a pointer points to.
func memoryOf(p reflect.Value) []byte {
	return unsafe.Slice((*byte)(p.UnsafePointer()), p.Type().Elem().Size())
}

// deviceVariable is what devices have of a variable. The program's own value is its initial one on each of them.
type deviceVariable struct {
	mu       sync.Mutex
	name     string                 // as kernels know it
	constant bool                   // kernels have it in constant memory
	initial  []byte                 // what the program assigned last
	seen     []byte                 // the program's value when it was looked at last
	from     string                 // the devices that seen is from; "" where the program has assigned it
	on       map[string]*deviceCopy // by the devices' names
	buffers  map[string]*Buffer     // for streams, by their devices' names
	runtime  any                    // whose devices they are
}

// deviceCopy is a variable in the memory of a device.
type deviceCopy struct {
	array *lazy.Array
	value []byte // after the last launch that did not fail

	held   []byte  // what the buffer for streams has of it; nil where that is not known
	filled *Event  // what has given held to the buffer, of a stream; nil where nothing has
	ahead  *Event  // the last launch of a stream that may have written to the buffer; nil when array is up to date
	stream *Stream // of ahead
	by     string  // what ahead is: "the launch of count"
	failed error   // of by: nobody knows what the device has
}

func copyOf(b []byte) *deviceCopy {
	return &deviceCopy{array: lazy.FromArray(arrays.FromSlice(slices.Clone(b))), value: b}
}

var variables = struct {
	sync.Mutex
	of map[weak.Pointer[byte]]*deviceVariable
}{of: map[weak.Pointer[byte]]*deviceVariable{}}

// variableOf finds the variable that p points to. Time and memory grow with its size.
func variableOf(p any, name string, on []device.Device) (*Variable, error) {
	if b, ok := p.(interface{ Unboxed() any }); ok {
		p = b.Unboxed()
	}
	r := reflect.ValueOf(p)
	if r.Kind() != reflect.Pointer || r.IsNil() {
		return nil, fmt.Errorf("a pointer to a variable is wanted, &hits, not %s", describe(p))
	}
	t := r.Type().Elem()
	if why := notPlain(t); why != "" {
		return nil, fmt.Errorf("a variable of type %v cannot be on a device: %s", t, why)
	}
	var ids []string
	for _, d := range on {
		ids = append(ids, d.ID())
	}
	host := memoryOf(r)
	v := &Variable{typ: t, host: host, on: strings.Join(ids, ", ")}
	key := weak.Make(&host[0])
	variables.Lock()
	defer variables.Unlock()
	v.v = variables.of[key]
	if v.v == nil {
		v.v = &deviceVariable{on: map[string]*deviceCopy{}}
		variables.of[key] = v.v
		runtime.AddCleanup(&host[0], func(key weak.Pointer[byte]) {
			variables.Lock()
			defer variables.Unlock()
			delete(variables.of, key)
		}, key)
	}
	v.v.mu.Lock()
	defer v.v.mu.Unlock()
	if name != "" {
		v.v.name = name
	}
	if now := any(lazy.Runtime()); v.v.runtime != now { // its devices may have the names of others
		v.v.runtime = now
		clear(v.v.on)
		clear(v.v.buffers)
	}
	return v, nil
}

// nameOf is the name of the variable that p points to, as the session or an entry of the program knows it; "the
// variable" where nobody does.
func nameOf(p any) string {
	if b, ok := p.(interface{ Unboxed() any }); ok {
		p = b.Unboxed()
	}
	if nameVariable != nil {
		if name := nameVariable(p); name != "" {
			return name
		}
	}
	if name := gosrc.VariableAt(p); name != "" {
		return name
	}
	return "the variable"
}

var (
	nameVariable func(p any) string
	usersOf      func(p any) []string
)

// NameVariables gives the package what knows the variables of cells by pointers to them: their names, and the functions
// that use them.
func (Wiring) NameVariables(name func(p any) string, users func(p any) []string) {
	nameVariable, usersOf = name, users
}

// usedBy says which kernels use the variable that p points to: " for blur (cell 3, line 4)"; nothing where nobody
// knows.
func usedBy(p any) string {
	if b, ok := p.(interface{ Unboxed() any }); ok {
		p = b.Unboxed()
	}
	users := gosrc.UsersOf(p)
	if usersOf != nil {
		users = append(users, usersOf(p)...)
	}
	if len(users) == 0 {
		return ""
	}
	return " for " + strings.Join(users, ", ")
}

// notPlain says what in a type is not memory of numbers.
func notPlain(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Bool, reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64, reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64,
		reflect.Float32, reflect.Float64, reflect.Complex64, reflect.Complex128:
		return ""
	case reflect.Array:
		if t.Len() == 0 {
			return "it is empty"
		}
		return notPlain(t.Elem())
	case reflect.Struct:
		if t.Size() == 0 {
			return "it is empty"
		}
		for i := range t.NumField() {
			if why := notPlain(t.Field(i).Type); why != "" {
				return why
			}
		}
		return ""
	}
	return fmt.Sprintf("it holds a %v; numbers, bools, and structs and arrays of them can be there", t)
}

// follow takes what the program has assigned since it was looked at last. The caller holds mu, here and below.
func (v *deviceVariable) follow(host []byte) {
	if v.seen == nil || !bytes.Equal(host, v.seen) {
		v.initial, v.seen, v.from = slices.Clone(host), slices.Clone(host), ""
		clear(v.on)
	}
}

// copyOn returns the copy of the named devices.
func (v *deviceVariable) copyOn(on string) *deviceCopy {
	if v.on[on] == nil {
		v.on[on] = copyOf(v.initial)
	}
	return v.on[on]
}

// back gives the program's variable the value b of the named devices.
func (v *deviceVariable) back(host, b []byte, on string) {
	copy(host, b)
	v.seen, v.from = slices.Clone(b), on
}

// usedVariable is a variable that a launch uses.
type usedVariable struct {
	*Variable
	here   *deviceCopy
	kernel string
	writes bool
}

// take finds what the variable's devices have of it, for a launch there. It is an error where another device has
// changed the variable since, or nobody knows what it is. Launches of streams are waited for that may have changed it:
// all but those of the devices themselves where the launch is of a stream, too.
func (u *usedVariable) take(stream bool) error {
	v := u.v
	v.mu.Lock()
	defer v.mu.Unlock()
	for on := range v.on {
		if !stream || on != u.on {
			v.settle(u.host, on)
		}
	}
	v.follow(u.host)
	u.here = v.copyOn(u.on)
	if err := u.here.lost(u.Variable); err != nil {
		return fmt.Errorf("kernel %s: %w", u.kernel, err)
	}
	if u.here.ahead == nil && !bytes.Equal(u.here.value, v.seen) {
		return fmt.Errorf("kernel %s, variable %s: %s has changed it last, and the value on %s is another: where %[4]s is in use, gpu.CopyTo(&%[2]s, %[2]s) gives it the program's value, gpu.CopyTo(&%[2]s, gpu.CopyFrom(&%[2]s)) goes on with its own",
			u.kernel, v.name, v.from, u.on)
	}
	return nil
}

// variables adds to a call the variables that the kernel uses.
func (l *launch) variables(k *gosrc.Kernel, c *kernelcall.Call[lazy.Array]) error {
	if len(k.Variables) == 0 {
		return nil
	}
	on := lazy.Runtime().InUse()
	if l.stream != nil {
		on = []device.Device{l.stream.dev}
	} else if c.On != nil {
		var err error
		if on, err = lazy.Runtime().Named(c.On...); err != nil {
			return err
		}
	}
	var constants []gosrc.Variable
	for i := range k.Variables {
		x := &k.Variables[i]
		p := x.Address()
		if p == nil {
			return fmt.Errorf("kernel %s uses the variable %s, which is not known any more: give it to the kernel as a parameter", l.f.name(), x.Name)
		}
		v, err := variableOf(p, x.Name, on)
		if err == nil && len(v.host) != x.Bytes {
			err = fmt.Errorf("it has %d bytes, the kernel was compiled for %d", len(v.host), x.Bytes)
		}
		if err != nil {
			return fmt.Errorf("kernel %s, variable %s: %w", l.f.name(), x.Name, err)
		}
		u := usedVariable{Variable: v, kernel: l.f.name(), writes: x.Writes}
		captured := l.stream != nil && l.stream.captured != nil // a graph takes it when it is launched
		if !captured && !l.shown {
			if err := u.take(l.stream != nil); err != nil {
				return err
			}
		}
		v.v.mu.Lock()
		if u.here == nil {
			v.v.follow(v.host)
			u.here = v.v.copyOn(v.on)
		}
		if v.v.constant {
			constants = append(constants, *x)
		}
		v.v.mu.Unlock()
		l.used = append(l.used, u)
		if l.stream == nil {
			c.Args[x.First] = kernelcall.Arg[lazy.Array]{Array: u.here.array, Writes: x.Writes}
			continue
		}
		b := v.buffer(l.stream.dev)
		a := kernelcall.Arg[lazy.Array]{Memory: b, Writes: x.Writes}
		if a.Bits, err = b.address(); err != nil {
			return err
		}
		c.Args[x.First] = a
		if l.stream.captured == nil {
			u.upload(l.stream)
		}
	}
	var err error
	c.Func, err = l.constants(k, constants)
	return err
}

// writesVariables reports whether the kernel may write to a variable of a device.
func (l *launch) writesVariables() bool {
	return slices.ContainsFunc(l.used, func(u usedVariable) bool { return u.writes })
}

// withVariables makes a launch, and gives the program what it has written to variables: it waits for it then. When the
// launch fails, or is interrupted, the device has what it had before, and so have the arrays that undo, which run
// returns, is for.
func (l *launch) withVariables(run func() (undo func())) {
	done := false
	var undo func()
	defer func() {
		if !done && undo != nil && l.writesVariables() {
			undo()
		}
		for _, u := range l.used {
			if u.writes && !done {
				u.v.mu.Lock()
				if u.v.on[u.on] == u.here {
					u.v.on[u.on] = copyOf(u.here.value)
				}
				u.v.mu.Unlock()
			}
		}
	}()
	undo = run()
	var values [][]byte // all of them first: an interrupt leaves all variables as they were
	for _, u := range l.used {
		if u.writes {
			values = append(values, slices.Clone(u.here.array.Array().Bytes()))
		}
	}
	for _, u := range l.used {
		if u.writes {
			u.v.mu.Lock()
			u.here.value = values[0]
			u.v.back(u.host, values[0], u.on)
			u.v.mu.Unlock()
			values = values[1:]
		}
	}
	done = true
}
