// Package gather reads the files that a site keeps of its tools: plain and
// compressed, archives of them, copies of /sys, and activity files.
package gather
