// Package exporter makes activity files from the series of node_exporter, of limpet-record and of
// the manager of Ceph. The input is batches of samples from remote write, from scrapes and from
// stores. The output is one [Reading] for each scrape of a server. A [Spool] writes each Reading
// into the activity file of this server and UTC day.
//
// A remote write request runs through these files:
//
//	remotewrite/handler.go   accepts or refuses the request
//	remotewrite/body.go      reads and unpacks the request
//	remotewrite/request.go   decodes the protobuf message
//	batch.go, series.go      select the series that limpet uses
//	intake/intake.go         passes the batch to the Assembler, under one lock
//	assembler.go             finds the server of each series
//	take.go                  puts each sample into the scrape of its time
//	close.go                 decides whether a scrape is complete or a gap
//	makereading.go, disk.go  make a Reading from a complete scrape
//	spool.go, spool_file.go  write the Reading into the file of the day
//	record/dayfile           cuts off incomplete records, syncs files
//
// Labels come from other machines, so there are limits for the number of servers and for the length
// of their names. Only the spool opens files. No code here reads the clock: callers pass the
// present time. Read assembler.go, take.go and close.go first.
package exporter
