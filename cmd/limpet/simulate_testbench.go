package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/limpet-storage/limpet/internal/bounded"
	"github.com/limpet-storage/limpet/lab/simulate/testbench"
)

type simulateTestbenchFlags struct {
	dir, cluster, workload, fault string
	servers                       []int
	experiment                    testbench.Experiment
	start                         string
	unkind                        bool
}

const (
	// leastStrength is the strength of a fault that cannot be distinguished from noise.
	leastStrength = 0.001
	// longestRun is the latest start or end of a fault: no benchmark takes a day.
	longestRun = 24 * time.Hour
)

func newSimulateTestbench() *cobra.Command {
	var f simulateTestbenchFlags
	cmd := simulation("testbench", "simulate a small parallel file system with one benchmark and one fault, as in the paper F10",
		`Simulate a cluster of clients and file servers, as in the paper F10. All clients run
the same benchmark. One server has a fault, from 120 s to 420 s after the start.
Each server and client writes an activity file with one record a second, with disks,
network interfaces and congestion windows.`,
		`  limpet simulate testbench --cluster lustre-6/12 --workload ddr --fault send-pktloss --dir run
  limpet simulate testbench --workload postmark --dir control       simulate a run without a fault`, f.run)
	flags := cmd.Flags()
	e := testbench.New(testbench.Clusters()[0], testbench.DDW, testbench.None, 1)
	f.experiment = *e
	flags.StringVar(&f.dir, "dir", "limpet-testbench", "`directory` to write to")
	flags.StringVar(&f.cluster, "cluster", e.Cluster.String(), "cluster to simulate, written as `FILESYSTEM-CLIENTS/SERVERS`, such as lustre-6/12: the file system pvfs, lustre or gluster, the number of clients, and the number of servers")
	flags.StringVar(&f.workload, "workload", string(e.Workload), "`NAME`: "+strings.Join(texts(testbench.Workloads()), ", "))
	flags.StringVar(&f.fault, "fault", "", "`NAME` of the fault: "+strings.Join(texts(testbench.Faults()), ", ")+" (default: no fault)")
	flags.Var(bounded.Ints(&f.servers, 1, testbench.MaxMachines, ""), "server", "`numbers` of the faulty servers; the first server is 1 (default: the seed chooses a server)")
	flags.Var(bounded.Float(&f.experiment.Strength, leastStrength, testbench.MaxStrength, "times the strength in F10"), "strength", "strength of the fault, as a multiple of the strength in the paper F10")
	flags.Var(bounded.Duration(&f.experiment.From, 0, longestRun), "from", "time from the start of the benchmark until the fault begins")
	flags.Var(bounded.Duration(&f.experiment.To, 0, longestRun), "to", "time from the start of the benchmark until the fault ends")
	flags.Var(bounded.Int(&f.experiment.Watched, 0, testbench.MaxMachines, "clients"), "watched", "number of clients that write activity files; 0 means all clients")
	c := &f.experiment.Conditions
	volumes := texts(testbench.Volumes())
	flags.StringVar((*string)(&c.Volume), "volume", "", "gluster: `NAME` of the volume type: "+strings.Join(volumes, ", ")+" (default: sharded)")
	flags.Var(bounded.Float(&c.HotShare, 0, 1, ""), "hot-share", "gluster: `share` of all blocks that belong to one hot file, from 0 to 1")
	flags.BoolVar(&c.BBR, "bbr", false, "the sockets use BBR, whose congestion windows do not shrink when packets are lost")
	flags.BoolVar(&c.Management, "management", false, "add idle sockets and sockets between servers, which keep their initial congestion window of 10")
	flags.BoolVar(&f.unkind, "unkind", false, "the seed also chooses the conditions at random: volume, hot files, BBR, idle sockets, strength of the fault")
	flags.Var(bounded.Seed(&f.experiment.Hardware), "hardware", "`seed` of the random numbers that make the machines slightly different")
	flags.Var(bounded.Seed(&f.experiment.Seed), "seed", "`seed` of the random numbers of the run")
	flags.StringVar(&f.start, "start", e.Start.Format(time.RFC3339), "`time` of the first record, such as 2009-09-01T00:00:00Z")
	return cmd
}

func (f *simulateTestbenchFlags) run(cmd *cobra.Command) error {
	e, err := f.asked(cmd)
	if err != nil {
		return usageError{err}
	}
	show, end := percent(cmd)
	truth, err := e.Write(cmd.Context(), f.dir, func(done, total int) { show(int64(done), int64(total)) })
	end()
	if err != nil {
		return orInterrupted(cmd, err)
	}
	tell(cmd.OutOrStdout(), f.dir, truth, "limpet diagnose --servers")
	return nil
}

// asked returns the experiment that the flags describe.
func (f *simulateTestbenchFlags) asked(cmd *cobra.Command) (*testbench.Experiment, error) {
	cluster, err := testbench.ParseCluster(f.cluster)
	if err != nil {
		return nil, err
	}
	e := f.experiment
	e.Cluster, e.Workload, e.Fault = cluster, testbench.Workload(f.workload), testbench.Fault(f.fault)
	if e.Fault == "none" {
		e.Fault = testbench.None
	}
	if e.Start, err = time.Parse(time.RFC3339, f.start); err != nil {
		return nil, fmt.Errorf("--start %q is not a time: write a time such as 2009-09-01T00:00:00Z", f.start)
	}
	for _, name := range []string{"server", "strength", "from", "to"} {
		if e.Fault == testbench.None && cmd.Flags().Changed(name) {
			return nil, fmt.Errorf("--%s needs a fault: add --fault with one of %s", name, strings.Join(texts(testbench.Faults()), ", "))
		}
	}
	e.Faulty = testbench.New(cluster, e.Workload, e.Fault, e.Seed).Faulty
	if len(f.servers) > 0 {
		e.Faulty = nil
		for _, s := range f.servers {
			e.Faulty = append(e.Faulty, s-1)
		}
	}
	if f.unkind {
		if err := checkUnkind(cmd); err != nil {
			return nil, err
		}
		e.DrawConditions()
	}
	return &e, e.Validate()
}

// checkUnkind returns an error if a flag is given that --unkind sets at random.
func checkUnkind(cmd *cobra.Command) error {
	for _, name := range []string{"volume", "hot-share", "bbr", "management"} {
		if cmd.Flags().Changed(name) {
			return fmt.Errorf("--%s and --unkind cannot be used together, because --unkind chooses this setting at random: remove one of the two flags", name)
		}
	}
	return nil
}
