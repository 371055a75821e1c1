// Package nbdtest is a small client of network block devices for tests. It sends one request at a
// time. Other clients use libnbd for this.
package nbdtest
