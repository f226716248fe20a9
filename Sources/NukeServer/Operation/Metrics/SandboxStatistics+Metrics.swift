#if Server
  import NukeSandbox

  extension SandboxStatistics {
    /// The metrics of the sandbox.
    var metrics: [CollectedMetric] {
      let gauges: [(String, String, Int)] = [
        ("workers", "Processes that make images.", workers),
        ("busy", "Of these, those that are at work.", busy),
        ("waiting", "Orders that wait for one of them.", waiting),
      ]
      let counters: [(String, String, Int)] = [
        ("starts", "Processes that were started.", starts),
        ("answers", "Orders that were answered: plans, images and facts.", answers),
        ("crashes", "Processes that died at work, or made no sense.", crashes),
        ("overruns", "Processes that were ended since they took too long.", overruns),
        ("retirements", "Processes that had made their images, or kept too much memory.", retirements),
      ]
      return gauges.map { CollectedMetric("nuke_sandbox_\($0)", .gauge, $1, Double($2)) }
        + counters.map { CollectedMetric("nuke_sandbox_\($0)_total", .counter, $1, Double($2)) }
    }
  }
#endif
