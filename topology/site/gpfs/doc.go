// Package gpfs reads what IBM Spectrum Scale says of its network shared disks:
// mmlsnsd in all of its layouts, mmlsdisk, mmdf, stanzas of mmcrnsd, and the
// legends of mmperfmon.
//
// Names are wider than their columns at real sites, so that lines are read by
// words and not by columns.
package gpfs
