// Package ses reads which drive sits in which slot of a SES enclosure: sg_ses
// --join and -p aes, its hex dumps, and the JSON that TrueNAS makes of them.
package ses
