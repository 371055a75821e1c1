package sysstat_test

import (
	"fmt"
	"io"
	"time"

	"github.com/limpet-storage/limpet/record/sysstat"
)

// Counters of an activity file only grow. The difference between two records divided
// by the requests between them is what sar calls await.
func ExampleReader() {
	file, err := sysstat.Open("testdata/sa-disk")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer file.Close()
	fmt.Println(file.Header().Hostname)
	var before, disks []sysstat.Disk
	for {
		record, err := file.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			fmt.Println(err)
			return
		}
		before, disks = disks, record.Disks(before)
		for i := range min(len(before), len(disks)) {
			requests := disks[i].IOs - before[i].IOs
			ticks := disks[i].ReadTicks - before[i].ReadTicks + disks[i].WriteTicks - before[i].WriteTicks
			if requests > 0 {
				fmt.Printf("%s device %d:%d: %d requests, %.1f ms each\n", time.Unix(record.Time, 0).UTC().Format(time.TimeOnly),
					disks[i].Major, disks[i].Minor, requests, float64(ticks)/float64(requests))
			}
		}
	}
	for _, w := range file.Warnings() {
		fmt.Println("warning:", w)
	}
	// Output:
	// store-1
	// 02:28:47 device 254:0: 539 requests, 0.1 ms each
	// 02:28:48 device 254:0: 934 requests, 0.1 ms each
	// 02:28:49 device 254:0: 1107 requests, 0.3 ms each
	// 02:28:50 device 254:0: 680 requests, 0.1 ms each
	// 02:28:51 device 254:0: 133 requests, 0.1 ms each
}
