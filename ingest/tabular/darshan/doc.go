// Package darshan is the form of what darshan-dxt-parser prints of a job's
// trace (DXT): each read and write with its times, and on Lustre the OSTs that
// it went to.
//
//	# start_time: 1441986044
//	# DXT, file_id: 1542…, file_name: /scratch/f
//	# DXT, rank: 0, hostname: nid00511
//	# Module    Rank  Wt/Rd  Segment          Offset       Length    Start(s)      End(s)  [OST]
//	 X_POSIX       0  write        0               0      262144      0.0029      0.0032  [ 12]
//
// A row is made of each that went to one OST; one that was striped over several
// does not say which of them was slow, so its row names none and is counted as
// left out. So are requests to files on other file systems than Lustre.
package darshan
