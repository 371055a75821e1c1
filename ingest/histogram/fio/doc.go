// Package fio is the form of the logs that fio writes of each request:
//
//	fio --name=sda --filename=/dev/sda … --write_lat_log=sda --log_unix_epoch=1
//
//	1794784343001, 212992, 0, 4096, 0, 0
//	1794784343004, 198144, 1, 4096, 0, 0
//
// A line has the ms at which a request was done, the ns that it took, what it was
// (0 read, 1 write, 2 trim), and its size. Times that count from the begin of a run
// cannot be laid beside those of others: the error says how to log the clock's. The
// file is named by its drive, sda_clat.1.log; of the three logs of a run that of the
// completion counts (clat), since fio's own work is not in it.
package fio
