// Package hours makes drive hours of records: it puts them into the order of
// time where they are not, folds those that are finer than hours, and puts
// those of a group together. It works on columns and opens no files but its
// own temporary ones.
//
// In the stream it stands between source, which reads the records, and the
// study.
package hours
