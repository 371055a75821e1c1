// Package nbd serves a device to clients of the network block device protocol:
// nbd-client, qemu, nbdcopy, fio. A [Device] comes in; the package does not depend on its
// kind.
//
// The server speaks the fixed newstyle negotiation, with simple and structured replies.
// It serves reads, writes, flushes and writes that are durable when they are answered
// (FUA). A device that is a [Zeroer] takes TRIM and WRITE_ZEROES, too, and one that is a
// [Mapper] answers BLOCK_STATUS for base:allocation. Requests of a connection run side by
// side, and each is answered when it ends. A device may have several connections: a flush
// on one covers the writes of all.
//
// With [Options.TLS] a client has to encrypt and to show a certificate (STARTTLS, see
// [LoadTLS]). Without TLS there is no authentication, and [Listen] accepts only Unix
// sockets and loopback.
//
// Memory, clients and times are bounded by [Options]. Read server.go first, then
// negotiate.go (which export, with which features) and conn.go (requests).
package nbd
