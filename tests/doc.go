// Package tests holds the tests that cross packages: the same programs on every device, array expressions in cells
// (operators), devices with little memory (pieces), real Jupyter clients (jupyter), every notebook executed
// (notebooks), a real browser (browser), and the scripts that make golden files with NumPy (golden).
package tests
