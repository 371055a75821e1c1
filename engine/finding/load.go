package finding

// What evidence of a component that is asked for more measures, which package words
// says.
const (
	AskedFor   = "requests"              // a second
	WaitTime   = "time of a request"     // ms, from insertion to completion
	DeviceTime = "time in the device"    // ms, from issue to completion
	BusyTime   = "busy time per request" // ms that the device is busy, by requests
)
