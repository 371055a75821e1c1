// Package smart reads what smartctl prints of a drive: -a, -x and -j, of ATA, SCSI
// and NVMe. A snapshot sums up the life of a drive; what matters of it is what should
// be zero and is not.
package smart
