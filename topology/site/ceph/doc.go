// Package ceph reads which OSD is on which host and drive: ceph osd tree, osd
// df tree, osd metadata, device ls, report, ceph-volume lvm and raw list, and
// ceph-volume inventory, as JSON and as text.
package ceph
