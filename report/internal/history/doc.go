// Package history keeps values of many components over time in bounded memory,
// for the plots of a page. It knows nothing of storage.
package history
