// Package tier is a directory of files that each hold a stretch of time: named by
// their first row and their last, written whole, and removed when they are too old
// or too many. What the files hold is not its business.
package tier
