// Package remotewritetest writes remote write requests by hand, apart from what
// reads them. Only tests need it.
package remotewritetest
