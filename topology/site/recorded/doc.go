// Package recorded reads the inventory that limpet record writes into activity
// files: the files themselves, and what limpet dump --inventory prints of them.
package recorded
