// Package paths selects the files of an input. It lists the files in directories, selects
// files by the ends of their paths, and takes fields from the paths:
//
//	{cluster}/{host}/*.csv    matches    /data/A/h7/2026-01-01.csv.gz
//
// and gives cluster=A, host=h7.
//
// It opens no file. Read list.go first, then pattern.go.
package paths
