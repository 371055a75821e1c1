// Package plan is what all nodes of a cluster have to agree on: the system, what rows
// hold, and how the system is divided.
//
// The first node that reads data writes the plan down; every other one holds its own
// configuration against it and refuses to begin with another. So no two nodes ever take
// one component for another.
//
// A system that changes is another stage of the plan. All stages are kept, and whoever
// reads what was sent at an earlier one knows what it was about.
package plan
