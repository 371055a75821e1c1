// Package sasircu reads which drives sit in which slot of a SAS controller in
// IT or IR mode, by sas2ircu and sas3ircu DISPLAY.
package sasircu
