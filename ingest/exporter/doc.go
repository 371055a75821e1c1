// Package exporter makes activity files of the series of node_exporter and
// limpet-record. Batches of samples come in, from remote write, from scrapes
// and from stores. A Reading of each server and scrape goes out, and a [Spool]
// writes it into the server's activity file of the UTC day.
//
// A remote write request runs through these files:
//
//	remotewrite/handler.go   accepts or refuses the request
//	remotewrite/request.go   decodes the protobuf message
//	batch.go, series.go      keep the series that limpet uses, a tenth of all
//	intake/intake.go         passes the batch on, under one lock
//	assembler.go             finds the server of each series
//	take.go                  puts each sample into the scrape of its time
//	close.go                 decides when a scrape is complete, or a gap
//	makereading.go, disk.go  make a Reading of a complete scrape
//	spool.go, spool_file.go  write the Reading into the file of the day
//	record/dayfile           cuts off half records, syncs
//
// Labels come from outside, so there are limits for the number of servers and
// for their names. Only the spool opens files. Callers pass the time, except in
// tests of the spool. Read assembler.go, take.go and close.go first.
package exporter
