#if Server
  import NukeServing

  extension NukeServing.RequestID {
    /// The name that the client gave, where it cannot do harm, else a new one.
    static func of(_ given: String?, random: () -> UInt64 = { .random(in: .min ... .max) }) -> String {
      if let given = accepted(given) { return given }
      let digits = String(random(), radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }
  }
#endif
