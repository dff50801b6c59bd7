// Package widgets draws controls in a notebook whose values cells read and set, and whose changes call functions of
// cells.
//
// Start with [Interact]: it shows a control for each parameter of a function, and the function's result, which is made
// again when a control is moved:
//
//	widgets.Interact(func(n int) any { return viz.Line(wave(n)) }, widgets.IntRange("n", 1, 20, 3))
//
// Controls of their own are those of ipywidgets under its names (list.go): [IntSlider], [Dropdown], [DatePicker] and so
// on. Their values are of types of Go: [Int], [String], [Time]. [HBox], [Tab] and their kin hold them (boxes.go),
// [Link] keeps two equal, an [Output] takes what functions print and show.
//
// Below lie comms (comm.go): channels of messages between objects here and in the client, as the Jupyter protocol has
// them. model.go spells the objects as ipywidgets 8 does, which JupyterLab's extension jupyterlab_widgets, VS Code and
// nbclient understand. Where a client has no widgets, or there is none, their texts and the function's first result are
// shown.
//
// The package must never know how messages travel, nor what language cells are in: the kernel installs a [Sender].
package widgets
