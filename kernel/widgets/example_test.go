package widgets_test

import (
	"fmt"

	"github.com/arrayrepl/arrayrepl/kernel/display"
	"github.com/arrayrepl/arrayrepl/kernel/widgets"
)

// A slider's value is an int; what is set beyond its ends stays at them.
func ExampleIntSlider() {
	n := widgets.IntSlider("n", 0, 100, 10)
	n.Set(250)
	fmt.Println(n.Value(), display.Auto(n).Text())
	// Output:
	// 100 n = 100
}

// A function hears of each change, by Go or by the page, until it is stopped.
func ExampleInt_Observe() {
	n := widgets.IntText("n", 1)
	stop := n.Observe(func(v int) { fmt.Println("now", v) })
	n.Set(2)
	n.Set(2)
	stop()
	n.Set(3)
	// Output:
	// now 2
}

// A menu's value is the chosen text.
func ExampleDropdown() {
	kind := widgets.Dropdown("kind", "line", "bar")
	fmt.Println(kind.Value())
	kind.Set("bar")
	fmt.Println(kind.Value())
	// Output:
	// line
	// bar
}

// Two widgets with one value.
func ExampleLink() {
	n, x := widgets.IntSlider("n", 0, 10, 3), widgets.FloatText("x", 0)
	stop := widgets.Link(n, x)
	fmt.Println(x.Value())
	x.Set(7)
	stop()
	x.Set(1)
	fmt.Println(n.Value())
	// Output:
	// 3
	// 7
}

// Widgets beside and below one another.
func ExampleVBox() {
	box := widgets.VBox(widgets.Label("settings"), widgets.HBox(widgets.Checkbox("fast", true), widgets.Text("name", "run 1")))
	fmt.Println(display.Auto(box).Text())
	// Output:
	// Label = settings
	// fast = true
	// name = run 1
}

// Without a page Interact calls its function once, with the values at which the controls begin.
func ExampleInteract() {
	shown := widgets.Interact(func(n int, kind string) any { return fmt.Sprint(n, " ", kind) }, widgets.Arg("n", 10), []string{"line", "bar"})
	fmt.Println(display.Auto(shown).Text())
	// Output:
	// 10 line
}
