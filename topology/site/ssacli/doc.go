// Package ssacli reads which drives sit in which bay of an HPE Smart Array,
// and which array they are part of: ssacli, hpssacli and hpacucli, with and
// without details.
package ssacli
