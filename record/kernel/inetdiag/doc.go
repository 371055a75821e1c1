// Package inetdiag reads the TCP connections of this machine from the Linux kernel, summed
// by remote host, for activity files: segments and retransmissions, the congestion windows
// of established connections, and their congestion control (F10 §6). It uses the kernel's
// own interface, inet_diag over netlink: one dump has struct tcp_info of every socket of
// IPv4 and IPv6. It needs no privilege and reads the network namespace that it runs in.
//
// Sums outlive sockets: the counts of a socket stay in the sum when it is gone. The counts
// between the last sample and the end of a socket are lost, and so is a connection that
// came and went between two samples. Read inetdiag.go first, then ledger.go (the sums).
package inetdiag
