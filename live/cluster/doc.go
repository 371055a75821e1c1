// Package cluster is one node of a cluster: it reads, judges and shows, as far as it was
// told to.
//
// Every node shows the whole (scale/gather). One with the role ingest reads activity files
// and sends them (scale/ingest), one with the role worker takes its share of the
// partitions (scale/worker). The three know each other by the logs of the bus alone: it
// makes no difference whether they run in one process or in three.
package cluster
