// Package foresight asks what T16 leaves open: whether a drive's history
// predicts its next slow hour, which drives are worth replacing, what one or
// two parity drives would save, and whether a fleet is getting worse.
//
// Its analyses stand beside those of study/survey, which runs them.
package foresight
