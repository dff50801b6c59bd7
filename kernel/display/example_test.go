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
