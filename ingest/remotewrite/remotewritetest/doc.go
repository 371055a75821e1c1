// Package remotewritetest writes remote write requests by hand, independently
// of the code that reads them. Only tests need it.
package remotewritetest
