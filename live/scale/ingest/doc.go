// Package ingest is a node that reads what servers record, and puts each step of a server
// on the log of its partition.
//
// It remembers nothing: the log says how far each server has come, and the files are
// read from there. A node that is killed between two steps sends one of them again; the
// log knows it by its ID, and whoever joins steps knows it by its time.
package ingest
