// Package lsscsi reads which SCSI and NVMe devices a server has, by lsscsi with
// any of its options and by /proc/scsi/scsi.
package lsscsi
