// Command sbom prints the software bill of materials of Go programs: every module
// that is linked into them, with its version and checksum, as the programs
// themselves say, in the form of CycloneDX 1.5.
//
//	sbom NAME VERSION PROGRAM...
//
// The same programs give the same bytes: there is no serial number, and the time is
// that of SOURCE_DATE_EPOCH.
package main
