// Package finding is the result of a study of a fleet as plain data: figures
// with their sentences, tables and curves, and what T16 published beside them.
// What makes them is study/survey; what renders them needs nothing else.
package finding
