// Package placement decides on which device of several each launch of a program runs, after which others, and what is
// copied where before it. It knows fields, boxes, devices by number and the rates between them; it runs nothing.
//
// A [Planner] is told of launches one after the other, by [Planner.Submit], with what they read and write as
// [Access]es. It finds what a launch depends on, asks a [Policy] for the device, chooses a stream, and plans copies
// from a directory of the valid copies, which it brings up to date at once: what is submitted later is planned as if
// all before had been done. [Planner.HostRead] and [Planner.HostWrite] tell of what the host does between launches.
//
// The rules are those of GrCUDA's scheduler for several GPUs (Parravicini and others, "DAG-based Scheduling with
// Resource Sharing for Multi-task Applications in a Polyglot GPU Runtime", IPDPS 2021, and its extension to several
// GPUs), whose unit is the whole array. With boxes for units, as in Legate, two launches depend on each other only
// where boxes meet.
package placement
