// Package threshold turns the scores of a training into thresholds: by L13's
// rule, by F10's, and by F10's for congestion windows. It is arithmetic over
// scores.
package threshold
