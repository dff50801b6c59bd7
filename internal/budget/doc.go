// Package budget says whether there is memory for something before it is taken. A reader asks [For] about the sizes
// that a file declares, and [Unpacks] about what is packed in it, and returns the error; so a small file cannot take
// all memory.
package budget
