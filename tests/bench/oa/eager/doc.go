// Package workloads has the programs of ../workloads on eager arrays. Its files are those there but for the line of the
// import, which a test of package tests makes sure of.
package workloads
