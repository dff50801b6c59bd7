// Package pieces holds the tests of evaluations on devices with little memory: in pieces, with steps that fail, with
// pinned memory, and what their traces tell. They collect garbage often, to know which values are gone; so nothing here
// opens a session or loads what cells can import.
package pieces
