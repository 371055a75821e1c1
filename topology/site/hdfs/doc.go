// Package hdfs reads which datanodes HDFS has and, where they say so, which
// volumes: dfsadmin -report, and the JMX of namenodes and datanodes.
package hdfs
