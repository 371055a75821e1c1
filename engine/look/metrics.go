package look

// The metrics that several tools have. Latencies are in ms.
var (
	Latency      = Metric{"latency", "ms", HighIsSlow}
	ReadLatency  = Metric{readLatency, "ms", HighIsSlow}
	WriteLatency = Metric{writeLatency, "ms", HighIsSlow}

	Requests  = Metric{"requests", "/s", Work}
	Bandwidth = Metric{"bandwidth", "kB/s", Work}
	ReqSize   = Metric{"request size", "kB", Size}
	InFlight  = Metric{"queue", "", Queue}
	BusyTime  = Metric{"busy", "%", Busy}
	QueueWait = Metric{"wait in front", "ms", QueueAhead}
)
