// Package gluster reads which bricks a GlusterFS volume has, on which server
// and, where gluster says it, on which device: volume info and volume status,
// as text and as XML.
package gluster
