// Package where draws when and where incidents were: a timeline, and a map of the
// system.
package where
