// Package nbdtest has a small client of network block devices, by which tests
// ask servers what others ask by libnbd. It does one request at a time.
package nbdtest
