// Package beegfs reads which node has which target: beegfs-ctl --listtargets
// with any of its columns, and beegfs target list of version 8.
package beegfs
