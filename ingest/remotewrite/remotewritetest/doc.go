// Package remotewritetest makes remote write requests for tests. It shares no
// code with package remotewrite, so that tests find faults in the decoder of
// remotewrite.
package remotewritetest
