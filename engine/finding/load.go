package finding

// Names of the measurements in evidence of class [Load]. Package report/sentence has their
// sentences.
const (
	AskedFor   = "requests"              // requests per second
	WaitTime   = "time of a request"     // ms, from insertion to completion
	DeviceTime = "time in the device"    // ms, from issue to completion
	BusyTime   = "busy time per request" // ms that the device is busy per request
)
