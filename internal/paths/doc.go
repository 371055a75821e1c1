// Package paths says which files are meant: it lists the files under
// directories, picks some of them by the ends of their paths, and takes fields
// from these:
//
//	{cluster}/{host}/*.csv    matches    /data/A/h7/2026-01-01.csv.gz
//
// and gives cluster=A, host=h7.
//
// It opens no file and knows nothing of what files hold.
package paths
