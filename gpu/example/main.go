// Example is a Go program with kernels: compiled by go build, launched on a simulated GPU or on the CPU.
//
//	go run ./gpu/example -device sim:v100
//
// zz_kernels.go is written by go generate; see gpu/kernelgen.
package main

import (
	"flag"
	"fmt"

	"github.com/arrayrepl/arrayrepl/gpu"
	np "github.com/arrayrepl/arrayrepl/lazy"
	_ "github.com/arrayrepl/arrayrepl/simgpu" // its devices
)

//go:generate go run github.com/arrayrepl/arrayrepl/gpu/kernelgen

// saxpy is y += a*x.
func saxpy(a float32, x, y []float32) {
	i := gpu.GlobalID()
	if i < len(y) {
		y[i] += a * x[i]
	}
}

// scale is x *= by, for numbers of any type.
func scale[T int32 | float64](x []T, by T) {
	if i := gpu.GlobalID(); i < len(x) {
		x[i] *= by
	}
}

// Body moves along a line.
type Body struct {
	X, V float64
	Hits int32
}

func (b *Body) step(dt float64) {
	b.X += b.V * dt
	if b.X > 1 {
		b.X, b.V = 2-b.X, -b.V
		b.Hits++
	}
}

// move is a step of every body.
func move(bodies []Body, dt float64) { bodies[gpu.GlobalID()].step(dt) }

// reverse turns a block's elements round, through dynamic shared memory.
func reverse(x []int32) {
	s := gpu.SharedDynamic[int32]()
	t := gpu.ThreadX()
	s[t] = x[gpu.GlobalID()]
	gpu.Sync()
	x[gpu.GlobalID()] = s[len(s)-1-t]
}

// collatz counts the steps from n to 1.
func collatz(n int) int {
	steps := 0
	for n > 1 {
		if n%2 == 0 {
			n /= 2
		} else {
			n = 3*n + 1
		}
		steps++
	}
	return steps
}

func main() {
	name := flag.String("device", "sim:v100", "what runs the kernels: host, sim:v100, …")
	beyond := flag.Bool("beyond", false, "launch more threads than there are elements")
	flag.Parse()
	np.Use(*name)

	x, y := np.Arange(1000).AsType(np.Float32), np.Ones(1000).AsType(np.Float32)
	gpu.Launch(saxpy, gpu.Blocks(1000, 256), 256, 2, x, y)
	fmt.Println("saxpy", y.Sum())

	ints, floats := []int32{1, 2, 3}, []float64{1, 2, 3}
	gpu.Launch(scale[int32], 1, 32, ints, 3)
	gpu.Launch(scale[float64], 1, 32, floats, 0.5)
	fmt.Println("scale", ints, floats)

	bodies := []Body{{X: 0.5, V: 1}, {X: 0, V: 0.25}}
	k := gpu.Kernel(move)
	for range 3 {
		gpu.Launch(k, 1, 2, bodies, 0.5)
	}
	fmt.Println("move", bodies)

	turned := []int32{1, 2, 3, 4, 5, 6, 7, 8}
	gpu.Launch(reverse, 2, 4, turned, gpu.DynamicShared(16))
	fmt.Println("reverse", turned)

	show := func(x []int32) {
		gpu.Printf("thread %d has %d\n", gpu.ThreadX(), x[gpu.ThreadX()])
	}
	gpu.Launch(show, 1, 2, turned)
	fmt.Println("collatz", np.Map(collatz, np.Arange(1, 1000)).Max())
	fmt.Println("most", np.Reduce(func(a, b int) int { return max(a, b) }, np.Map(collatz, np.Arange(1, 1000))))
	fmt.Println(gpu.Check(saxpy, 4, 256, 2, x, y))
	gpu.Emulate(scale[int32], 1, 32, ints, 3)
	fmt.Println("emulated", ints)

	if *beyond {
		defer func() { fmt.Println(recover()) }()
		gpu.Launch(move, 1, 3, bodies, 0.5)
	}
}
