// Package advice says what to do about a problem: where the part is, what to look at
// first, how to take it out of the way on this kind of storage, and whether to wait.
//
// It takes plain data and returns plain data: steps with commands to read, never to
// run. Package words puts them into sentences. Nothing is advised that redundancy
// does not bear: what is already slow or out counts as lost, what is not known
// counts as not allowed, and a step that is not allowed has no command.
package advice
