package finding

// Names of the measurements in evidence of class [Load]. Package report/sentence contains
// the sentences about these measurements.
const (
	AskedFor   = "requests"              // requests per second
	WaitTime   = "time of a request"     // ms, from insertion to completion
	DeviceTime = "time in the device"    // ms, from issue to completion
	BusyTime   = "busy time per request" // busy time of the device per request, in ms
)
