package storage_test

import (
	"fmt"
	"time"

	"github.com/arrayrepl/arrayrepl/lazy/storage"
)

func ExampleLittle() {
	fmt.Printf("%.0f\n", storage.Little(26e9, 4096, 11*time.Microsecond))
	// Output: 70
}

func ExampleUse() {
	fmt.Println(storage.Use("sim:optane*4", storage.Line(4096), storage.Cache(64<<20), storage.Policy("lru")))
	fmt.Println(storage.Use(""))
	// Output:
	// <nil>
	// <nil>
}

func ExampleBlockBench_Run() {
	r, _ := storage.BlockBench{Threads: 65536, Line: 512}.Run()
	fmt.Printf("%.3g reads a second\n", r.IOPS)
	// Output: 4.75e+06 reads a second
}

func ExampleCurve() {
	y, _ := storage.Curve("optane", 4096, []int{1, 1000})
	fmt.Printf("%.3g %.3g\n", y[0], y[1])
	// Output: 8.45e+04 1.5e+06
}

func ExampleKnee() {
	q, _ := storage.Knee("optane", 512)
	fmt.Printf("%.1f\n", q)
	// Output: 57.1
}

func ExampleCostPerGB() {
	fmt.Println(storage.CostPerGB("980pro"))
	// Output: 0.51 <nil>
}

func ExampleWays() {
	ways, _ := storage.Ways("optane*4", 4096)
	for _, w := range ways {
		fmt.Printf("%s %.3g\n", w.Name, w.BytesPerSecond)
	}
	// Output:
	// BaM 2.46e+10
	// GDS 5.9e+09
	// Basic 3.64e+08
}

func ExampleVectorAdd() {
	serial, _ := storage.VectorAdd("optane*4", false)
	async, _ := storage.VectorAdd("optane*4", true)
	fmt.Printf("%.2f %.2f\n", serial, async)
	// Output: 1.36 0.91
}

func ExampleTaxi() {
	fmt.Printf("%.2f %.2f %.2f\n", storage.Taxi(1)/storage.Taxi(2), storage.Taxi(1)/storage.Taxi(4), storage.Taxi(1)/storage.Taxi(8))
	// Output: 1.46 1.62 1.31
}

func ExampleTiled() {
	fmt.Println(storage.Tiled(time.Second, 4*time.Second, 0, 5))
	// Output: 4.2s <nil>
}
