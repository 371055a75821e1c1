// Package partition is the engine of a diagnosis as a machine that any node of a cluster
// can go on with: one for each part of the system, and one for what the parts have in
// common.
//
// Steps of servers and words of operators come in one log, in one order. Rows are made of
// the steps, the engine judges them, and what becomes of incidents is said with numbers
// of components in the whole system. It stands behind scale/wire and before whatever
// runs it (scale/replica) and whoever shows it (scale/gather).
package partition
