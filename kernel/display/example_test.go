package display_test

import (
	"fmt"

	"github.com/arrayrepl/arrayrepl/kernel/display"
)

// What a notebook shows of a value: its forms, by MIME type.
func ExampleOf() {
	b, err := display.Of(map[string][]int{"b": {2}, "a": nil})
	fmt.Println(b.Data[display.TypeText], err)
	// Output:
	// map[string][]int{"a": nil, "b": {2}} <nil>
}

func ExampleGoText() {
	type point struct{ X, y float64 }
	fmt.Println(display.GoText([]any{3.0, "a b", &point{1, 2}, []int(nil)}))
	// Output:
	// []any{3.0, "a b", &display_test.point{X: 1.0, y: 2.0}, []int(nil)}
}

type celsius float64

// Values of a type of one's own are shown as a function says.
func ExampleRegister() {
	display.Register(func(c celsius) any { return fmt.Sprintf("%.1f °C", float64(c)) })
	b, _ := display.Of(celsius(21.5))
	fmt.Println(b.Data[display.TypeText])
	// Output:
	// 21.5 °C
}

func ExampleRow() {
	b, _ := display.Of(display.Row("left", 2))
	fmt.Println(b.Data[display.TypeText])
	// Output:
	// left
	// 2
}

// The first values of a sequence, which has no end.
func ExampleFirst() {
	squares := func(yield func(int) bool) {
		for i := 0; yield(i * i); i++ {
		}
	}
	fmt.Println(display.GoText(display.First(squares, 4)))
	// Output:
	// []any{0, 1, 4, 9}
}

// What several values show, one below the other.
func ExampleColumn() {
	b := display.Column(display.HTML("<b>title</b>"), []int{1, 2})
	fmt.Println(b.Text())
	// Output:
	// <b>title</b>
	// []int{1, 2}
}

// A bar follows a loop; where there is no notebook it is a loop alone.
func ExampleTrackSlice() {
	sum := 0
	for n := range display.TrackSlice([]int{1, 2, 3}) {
		sum += n
	}
	fmt.Println(sum)
	// Output:
	// 6
}
