// Package connections reads what the records of machines say of their TCP
// connections, and makes metrics of hosts of it: congestion windows, and what
// became of the segments. A server measures some of them itself, towards its
// clients; others are measured by the clients, each of which has a share.
//
// It stands below collect/activity, which folds records onto steps.
package connections
