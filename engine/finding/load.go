package finding

// Names of the measurements in the evidence of findings of class [Load]. Package report/sentence
// contains the sentences about these measurements.
const (
	AskedFor   = "requests"              // requests per second
	WaitTime   = "time of a request"     // time from the insertion of a request into the queue of the device to its completion, in ms
	DeviceTime = "time in the device"    // time from the issue of a request to the device to its completion, in ms
	BusyTime   = "busy time per request" // busy time of the device per request, in ms
)
