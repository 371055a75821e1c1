package finding

// Names of the measurements in the evidence of findings of class [Tail]. Package report/sentence
// contains the sentences about these measurements.
const (
	SlowRequests = "slow requests"      // share of requests that take longer than nearly all requests of the peers
	SlowTime     = "time of slow ones"  // mean time of the slow requests, in ms; the field Peers has the 99.9 % quantile of the peers' requests
	MedianTime   = "median in device"   // median time in the device, in ms
	Time99       = "99 % in device"     // 99 % quantile of the time in the device, in ms
	Time999      = "99.9 % in device"   // 99.9 % quantile of the time in the device, in ms
	InDevice     = "part in the device" // time in the device, as a share of the time from insertion to completion
	CDFDistance  = "CDF distance"       // mean factor, in octaves, by which the latencies would have to change to get the distribution of the peers; an octave is a factor of 2
)
