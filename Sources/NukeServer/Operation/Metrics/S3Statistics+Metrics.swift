#if Server
  import NukeS3

  extension S3DataCache.Statistics {
    /// The metrics of the S3 result cache.
    var metrics: [CollectedMetric] {
      let counters: [(String, String, Int)] = [
        ("hits", "Reads of the bucket that gave data.", hits),
        ("misses", "Reads of the bucket that gave none.", misses),
        (
          "refused", "Reads that the bucket refused, as it does what is not there where it may not be listed.", refusals
        ),
        ("errors", "Times that the bucket failed.", failures),
        ("skipped", "Reads that were not tried, after failures.", skipped),
        ("damaged", "Objects that were found damaged.", damaged),
        ("stored", "Objects written to the bucket.", writes),
        ("dropped", "Writes to the bucket that were given up.", dropped),
      ]
      return counters.map { CollectedMetric("nuke_s3_\($0)_total", .counter, $1, Double($2)) } + [
        CollectedMetric("nuke_s3_pending_bytes", .gauge, "Bytes that wait to be written.", Double(pendingBytes)),
        CollectedMetric("nuke_s3_up", .gauge, "Whether the bucket is asked: 0 after failures.", isResting ? 0 : 1),
      ]
    }
  }
#endif
