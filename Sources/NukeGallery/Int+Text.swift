#if GTK
  extension Int {
    /// The number with grouped digits: `12,345`.
    var grouped: String {
      let digits = Array(String(magnitude))
      let groups = stride(from: digits.count % 3 == 0 ? 0 : digits.count % 3 - 3, to: digits.count, by: 3)
        .map { String(digits[Swift.max(0, $0)..<($0 + 3)]) }
      return (self < 0 ? "−" : "") + groups.joined(separator: ",")
    }

    /// The number of bytes as megabytes, with one decimal below ten: `1.5 MB`.
    var megabytes: String {
      let tenths = (self + 50_000) / 100_000
      return tenths < 100 ? "\(tenths / 10).\(tenths % 10) MB" : "\(((self + 500_000) / 1_000_000).grouped) MB"
    }
  }
#endif
