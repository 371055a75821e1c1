// Package nvme reads which NVMe drives a server has: nvme list as text and as
// JSON of versions 1 and 2, nvme id-ctrl as JSON.
package nvme
