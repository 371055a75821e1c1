// Package torture holds a history against one that keeps all in memory, while
// systems change, processes are killed, disks are full and files are damaged. It is
// tests alone.
package torture
