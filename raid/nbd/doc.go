// Package nbd serves a device to clients of the network block device protocol:
// nbd-client, qemu, nbdcopy, fio. It knows nothing of what stands behind the
// device.
//
// It speaks the fixed newstyle negotiation and simple replies, and no more than
// a device needs: reads, writes, flushes and writes that are durable when they
// are answered (FUA). Requests of a connection are done side by side and
// answered as they end. A device may have several connections: a flush on one
// covers what any has written. Trimming and writing zeros are not offered, and
// refused to who asks nevertheless: parity would have to be computed all the
// same. There is no encryption and no authentication, so that it listens only
// on Unix sockets and on loopback.
package nbd
