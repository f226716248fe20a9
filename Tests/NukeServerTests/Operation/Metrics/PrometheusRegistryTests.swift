#if Server
  import CoreMetrics
  import Foundation
  import Testing

  @testable import NukeServer

  @Suite("Metrics in the Prometheus text format")
  struct PrometheusRegistryTests {
    @Test("A prefix is put before all names")
    func prefix() {
      let registry = PrometheusRegistry()
      registry.use(prefix: "photos_")
      registry.describe("hits_total", "Hits.")
      Counter(label: "hits_total", factory: registry).increment()
      registry.collect { [CollectedMetric("files", .gauge, "Files.", 12)] }
      #expect(
        registry.text() == """
          # HELP photos_files Files.
          # TYPE photos_files gauge
          photos_files 12
          # HELP photos_hits_total Hits.
          # TYPE photos_hits_total counter
          photos_hits_total 1

          """)
    }

    @Test("Counters, gauges and histograms are written with names and labels, in order")
    func golden() {
      let registry = PrometheusRegistry()
      registry.describe("hits_total", "Hits of\nall \\ kinds.")
      Counter(label: "hits_total", dimensions: [("origin", "store")], factory: registry).increment(by: 2)
      Counter(label: "hits_total", dimensions: [("origin", "memory")], factory: registry).increment()
      FloatingPointCounter(label: "work_total", factory: registry).increment(by: 0.5)
      Gauge(label: "queue_waiting", factory: registry).record(3)
      Meter(label: "active", factory: registry).increment(by: 2)
      CoreMetrics.Timer(label: "wait_seconds", factory: registry).recordNanoseconds(2_000_000)
      CoreMetrics.Timer(label: "wait_seconds", factory: registry).recordNanoseconds(60_000_000_000)
      registry.collect { [CollectedMetric("process_open_fds", .gauge, "Files that are open.", 12)] }
      let buckets = [
        ("0.0005", 0), ("0.001", 0), ("0.0025", 1), ("0.005", 1), ("0.01", 1), ("0.025", 1), ("0.05", 1), ("0.1", 1),
        ("0.25", 1), ("0.5", 1), ("1", 1), ("2.5", 1), ("5", 1), ("10", 1), ("30", 1), ("+Inf", 2),
      ].map { "wait_seconds_bucket{le=\"\($0)\"} \($1)\n" }.joined()
      #expect(
        registry.text() == """
          # TYPE active gauge
          active 2
          # HELP hits_total Hits of\\nall \\\\ kinds.
          # TYPE hits_total counter
          hits_total{origin="memory"} 1
          hits_total{origin="store"} 2
          # HELP process_open_fds Files that are open.
          # TYPE process_open_fds gauge
          process_open_fds 12
          # TYPE queue_waiting gauge
          queue_waiting 3
          # TYPE wait_seconds histogram
          \(buckets)wait_seconds_sum 60.002
          wait_seconds_count 2
          # TYPE work_total counter
          work_total 0.5

          """)
    }

    @Test("Labels and names are escaped")
    func escaping() {
      let registry = PrometheusRegistry()
      Counter(label: "a-b.c", dimensions: [("1st", "say \"no\"\\\n")], factory: registry).increment()
      #expect(registry.text() == "# TYPE a_b_c counter\na_b_c{_1st=\"say \\\"no\\\"\\\\\\n\"} 1\n")
    }

    @Test("Label sets above the limit are counted together")
    func limit() {
      let registry = PrometheusRegistry(seriesLimit: 2)
      for number in 0..<5 {
        Counter(label: "n", dimensions: [("id", String(number))], factory: registry).increment()
      }
      #expect(registry.text() == "# TYPE n counter\nn{id=\"0\"} 1\nn{id=\"1\"} 1\nn{id=\"_other\"} 3\n")
    }

    @Test("A name that is in use for another kind of metric leaves that metric unchanged")
    func kinds() {
      let registry = PrometheusRegistry()
      Counter(label: "n", factory: registry).increment()
      Gauge(label: "n", factory: registry).record(7)
      #expect(registry.text() == "# TYPE n counter\nn 1\n")
    }

    @Test("No increment from any thread is lost, and no counter decreases")
    func threads() async {
      let registry = PrometheusRegistry()
      await withTaskGroup { group in
        for _ in 0..<8 {
          group.addTask {
            for _ in 0..<500 { Counter(label: "n", factory: registry).increment() }
          }
        }
      }
      Counter(label: "n", factory: registry).increment(by: -5)
      #expect(registry.text().hasSuffix("n 4000\n"))
    }

    @Test("The metrics of the process are read from the files of Linux")
    func process() {
      let stat =
        "7 (a ) b) S 1 7 7 0 -1 4194304 1 2 3 4 150 50 0 0 20 0 9 0 100 4096 25 "
        + Array(repeating: "0", count: 30).joined(separator: " ")
      let files = [
        "stat": stat, "../stat": "cpu  1 2 3\nbtime 1700000000\nprocesses 5\n",
        "limits":
          "Limit  Soft Limit  Hard Limit  Units\nMax open files            1024                 4096                 files\n",
      ]
      let metrics = ProcessMetrics(
        read: { files[$0] }, countOpenFiles: { 5 }, ticksPerSecond: 100, pageSize: 4096
      ).collect()
      let values = Dictionary(uniqueKeysWithValues: metrics.map { ($0.name, $0.number ?? -1) })
      #expect(
        values == [
          "process_cpu_seconds_total": 2, "process_start_time_seconds": 1_700_000_001, "process_threads": 9,
          "process_virtual_memory_bytes": 4096, "process_resident_memory_bytes": 102_400, "process_open_fds": 5,
          "process_max_fds": 1024,
        ])
    }

    @Test("This process has memory and open files")
    func thisProcess() {
      let values = Dictionary(
        uniqueKeysWithValues: ProcessMetrics().collect().map { ($0.name, $0.number ?? -1) })
      #expect(values["process_resident_memory_bytes", default: 0] > 1_000_000)
      #expect(values["process_open_fds", default: 0] > 2)
      let age = Date().timeIntervalSince1970 - values["process_start_time_seconds", default: 0]
      #expect((-1...86_400).contains(age))
    }
  }
#endif
