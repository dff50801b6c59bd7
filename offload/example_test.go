package offload_test

import (
	"fmt"
	"strings"
	"time"

	"github.com/arrayrepl/arrayrepl/offload"
	"github.com/arrayrepl/arrayrepl/offload/device"
	"github.com/arrayrepl/arrayrepl/offload/host"
)

// onHost is a runtime with the CPU as its device.
func onHost() *offload.Runtime {
	r := new(device.Registry)
	r.Add("host", func() (device.Device, error) { return host.Open(0), nil })
	rt, err := offload.New(r, "host")
	if err != nil {
		panic(err)
	}
	return rt
}

// A runtime runs on devices of a registry, the one of a name at first.
func ExampleNew() {
	fmt.Println(onHost().Devices())
	_, err := offload.New(new(device.Registry), "host")
	fmt.Println(err != nil)
	// Output:
	// [host]
	// true
}

// What a call costs on the CPU and on a GPU, as lines over the logarithm of the number of elements.
func ExampleLinearCompute() {
	e := offload.LinearCompute(2, 0, 0.5, 12)
	for _, n := range []int{1 << 4, 1 << 8, 1 << 10} {
		fmt.Println(n, e.Cost(n, false), e.Cost(n, true))
	}
	// Output:
	// 16 8 14
	// 256 16 16
	// 1024 20 17
}

// Split types say how arguments of annotated functions are cut into pieces, and how results come together again.
func ExampleGeneric() {
	rows := offload.Generic("rows")
	total := offload.Combined("total", func(a, b any) any { return a.(float64) + b.(float64) })
	fmt.Println(offload.IsGeneric(rows), offload.IsCombined(rows), offload.IsCombined(total))
	// Output:
	// true false true
}

// Rates of copies between devices, as a probe has written them.
func ExampleReadLinks() {
	links, err := offload.ReadLinks(strings.NewReader("From,To,Bandwidth\n-1,0,12\n-1,1,12\n0,-1,12\n1,-1,12\n0,1,48\n1,0,48\n0,0,800\n1,1,800\n"))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(links.Devices(), "devices,", links.Rate(offload.CPU, 0), "GB/s from the host,", links.Rate(0, 1), "GB/s between them")
	// Output:
	// 2 devices, 12 GB/s from the host, 48 GB/s between them
}

// What copies of some sizes took, and what others will take, between them and beyond.
func ExampleCalibrate() {
	m := offload.Calibrate(func(elements int) time.Duration { return time.Duration(10+2*elements) * time.Microsecond }, 100, 1000)
	fmt.Printf("%.3g %.3g %.3g\n", m.Of(100), m.Of(550), m.Of(2000))
	// Output:
	// 0.00021 0.00111 0.00401
}
