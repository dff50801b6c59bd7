// Package viz draws charts: of what a device did, and of data.
//
// [Timeline], [TaskGraph], [Breakdown], [Transfers], [TransferMap], [Memory], [Roofline] and [Compare] draw a
// [trace.Log], by default that of the last evaluation; [Occupancy], [OccupancyBySM], [Gantt], [Stalls], [Source] and
// [Reconvergence] draw its kernels from inside. [Line], [Scatter], [Density], [Bar], [Hist], [BoxPlot], [HeatMap],
// [Contour], [Surface], [Image], [Lanes] and [Sweep] draw arrays, lazy or not, and Go slices. All return a [Chart],
// which displays itself when it is a cell's value, and which [Save] writes to a file:
//
//	viz.Line(t, y, viz.Title("Sunspots"), viz.XLabel("year"))
//	viz.Save("timeline.html", viz.Timeline())
//
// A Chart is a small model of its own (panels of axes and series) with three forms made from the same numbers: an
// interactive one in the browser (echarts), a static SVG picture (gonum plot), and text for terminals. The HTML form
// needs no network. The echarts script is shipped inside the first chart's output and shared by all others; until it is
// there, and where no scripts run, each chart shows its static picture.
//
// %doc charts, in a session, says how to read each, and what to do about what one sees.
//
// What is wrong with the data of a chart is not a panic: the chart displays the error as text.
//
// The package reads traces and finished arrays only. It knows nothing of devices, kernels or how a value is computed.
package viz

//go:generate go run ./assets/update
