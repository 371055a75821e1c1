// Package inetdiag reads from the Linux kernel what its TCP connections have
// done, how wide the congestion windows of the established ones are and which
// congestion control they use, by remote host (F10 §6), for activity files to
// keep. It is the kernel's own interface, inet_diag, without a library in
// between: one dump gives struct tcp_info of every socket of IPv4 and IPv6. It
// needs no privilege and sees the network namespace that it runs in.
//
// Sums outlive sockets: when one is gone, what it had counted when it was last
// seen stays. What a socket did between the last sample and its end is lost,
// and so is a connection that came and went between two samples.
package inetdiag
