// Package display is how a Go value becomes something a notebook can show.
//
// A [Bundle] is one value in several forms, keyed by MIME type, exactly as the Jupyter protocol sends it: every rich
// form comes with plain text, and every interactive form with a static picture, so that each client finds one that it
// can show. [Of] makes the bundle of any value: from the value's own methods when it has some of [Bundler], [HTMLer],
// [SVGer] and their kin, from fmt otherwise.
//
// Cells see this package as display. [HTML], [Markdown] and the other constructors return values that display
// themselves; [Show] puts a value into the running cell's output at once, through the [Publisher] that the session
// installed; [ShowAs] and [Update] change it later, [Clear] empties the output, [NewProgress] is a bar for long work,
// [Input] asks a question. The names in gophernotes.go are those of the kernel gophernotes.
//
// The package is a leaf: it knows nothing of kernels, sockets, arrays or charts.
package display
