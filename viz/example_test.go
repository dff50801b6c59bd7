package viz_test

import (
	"fmt"
	"slices"

	"github.com/arrayrepl/arrayrepl/offload/trace"
	"github.com/arrayrepl/arrayrepl/viz"
)

func ExampleLine() {
	c := viz.Line([]int{0, 1, 2}, []float64{1, 4, 9}, viz.Title("Squares"), viz.Name("x²")).Add([]int{0, 1, 2}, []float64{1, 8, 27}, "x³")
	for _, s := range c.Panels[0].Series {
		fmt.Println(s.Name, s.X, s.Y)
	}
	fmt.Println(viz.Line([]int{0, 1}, []float64{1, 4, 9})) // what is wrong is shown in place of the picture
	// Output:
	// x² [0 1 2] [1 4 9]
	// x³ [0 1 2] [1 8 27]
	// viz: Line: x has 2 values and y has 3; they must be equal
}

func ExampleBar() {
	fmt.Println(viz.Bar([]string{"red", "white"}, []int{30, 15}, viz.Title("Bottles")))
	// Output:
	// Bottles
	//   red ████████████████████████████████████████ 30
	// white ████████████████████ 15
}

func ExampleHist() {
	fmt.Println(viz.Hist([]float64{1, 1, 2, 4}, 3, viz.Title("Values")))
	// Output:
	// Values
	// 1 ████████████████████████████████████████ 2
	// 2 ████████████████████ 1
	// 3 ████████████████████ 1
}

func ExampleTimeline() {
	const us = trace.Microsecond
	l := &trace.Log{}
	l.Add(trace.Event{Name: "x", Kind: trace.CopyIn, Device: "sim:v100#0", Start: 0, End: 30 * us, Modelled: true, Bytes: 400_000})
	l.Add(trace.Event{Name: "sqrt", Kind: trace.Kernel, Device: "sim:v100#0", Start: 30 * us, End: 60 * us, Modelled: true})
	fmt.Println(viz.Timeline(l))
	// Output:
	// Timeline of the evaluation
	// device (modelled): 60 µs
	// sim:v100#0 copy in │██████████████████████████████                              │ 30 µs in 1 event
	// sim:v100#0 kernel  │                              ██████████████████████████████│ 30 µs in 1 event
	//                    └┬─────────┬─────────┬─────────┬─────────┬─────────┬────────┬
	//                     0        10        20        30        40        50       60
	//                                  time on the device, modelled (µs)
	// Modelled: time on the simulated GPU, from its timing model; the same on every machine.
}

func ExampleScatter() {
	c := viz.Scatter([]float64{1, 2, 3}, []float64{2, 4, 8}, viz.Title("Points"), viz.XLabel("n"))
	fmt.Println(c.Panels[0].Series[0].Y, c.Err)
	// Output:
	// [2 4 8] <nil>
}

// Which forms charts have in notebooks.
func ExampleFormats() {
	viz.Formats("svg")
	defer viz.Formats()
	var forms []string
	for form := range viz.Bar([]string{"a"}, []int{1}).MIMEBundle().Data {
		forms = append(forms, form)
	}
	slices.Sort(forms)
	fmt.Println(forms)
	// Output:
	// [image/svg+xml text/plain]
}
