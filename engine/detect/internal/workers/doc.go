// Package workers shares the tasks of a step among the processors. Each task writes
// to a place of its own, so that the result depends neither on the number of workers
// nor on who does which task.
package workers
