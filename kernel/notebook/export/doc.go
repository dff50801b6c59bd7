// Package export turns a notebook into something to read: [HTML] writes one page that needs nothing else, with the
// charts as live as they are in the notebook; [Markdown] makes a text and the picture files that it shows; [Site] makes
// pages of many notebooks, and of the texts that they lead to, with an index.
//
// Of each output the richest form is taken that the target can show (choose.go). Nothing is run: a notebook is exported
// with the outputs that it has.
//
// The package must never know what language the cells are in; who does may say how code is coloured.
package export
