// Package widgets draws sliders, menus, check boxes and buttons in a notebook that call a Go function in the session.
//
// Start with [Interact]: it shows a control for each parameter of a function, and the function's result, which is made
// again when a control is moved:
//
//	widgets.Interact(func(n int) any { return viz.Line(wave(n)) }, widgets.IntRange("n", 1, 20, 3))
//
// A slider takes its step last: widgets.IntRange("threads", 32, 1024, 256, 32).
//
// Below lie comms (comm.go): channels of messages between objects here and in the client, as the Jupyter protocol has
// them. model.go spells the objects as ipywidgets 8 does, which JupyterLab's extension jupyterlab_widgets, VS Code and
// nbclient understand. Where a client has no widgets, or there is none, the function's first result is shown.
//
// The package must never know how messages travel, nor what language cells are in: the kernel installs a [Sender].
package widgets
