// Package merge joins what several sources say of the same device or volume:
// sightings of one server by name, number and SCSI address; slots of
// enclosures and controllers by WWN, serial number and SAS address; volumes by
// their name, with the devices that servers know them by.
//
// Where two sources contradict each other the first one counts, and a note
// names both.
package merge
