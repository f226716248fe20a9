import Foundation
import NukeServing

/// Tests whether the time to reject a signature reveals how much of it is right: `SignatureTiming [ROUNDS]`.
@main
enum SignatureTiming {
  static func main() {
    #if Server
      let rounds = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 100_000
      var times = Forgery.allCases.map { _ in [Double]() }
      for kind in times.indices { times[kind].reserveCapacity(rounds) }
      let urls = Sample.urls(1000)
      var order = Array(Forgery.allCases.enumerated())
      // The first rounds warm up.
      for round in -1000..<rounds {
        order.shuffle()
        for (kind, _) in order {
          // A different path for each kind, so that none benefits from cached text.
          let url = urls[(abs(round) + kind * urls.count / order.count) % urls.count][kind]
          let start = now()
          let isGood = Sample.signer.isSigned(url)
          let end = now()
          precondition(isGood == (Forgery.allCases[kind] == .none))
          if round >= 0 { times[kind].append(Double(end - start)) }
        }
      }
      report(times)
    #else
      print("Built without the trait Server.")
    #endif
  }

  #if Server
    private static func now() -> UInt64 { DispatchTime.now().uptimeNanoseconds }

    private static func report(_ times: [[Double]]) {
      // Outliers, which are caused by other work of the system, are removed.
      let limit = quantile(times.flatMap { $0 }.sorted(), 0.95)
      let kept = times.map { $0.filter { $0 <= limit }.sorted() }
      let first = kept[Forgery.allCases.firstIndex(of: .firstByte)!]
      print("signature | median, ns | mean, ns | Welch's t against the first byte")
      for (kind, values) in zip(Forgery.allCases, kept) {
        let figures = [quantile(values, 0.5), mean(values), welch(values, first)].map { String(format: "%.1f", $0) }
        print(([kind.rawValue] + figures).joined(separator: " | "))
      }
    }

    private static func quantile(_ sorted: [Double], _ part: Double) -> Double {
      sorted[Int(Double(sorted.count - 1) * part)]
    }

    private static func mean(_ values: [Double]) -> Double { values.reduce(0, +) / Double(values.count) }

    /// Welch's t. If its absolute value exceeds 4.5, the times differ.
    private static func welch(_ one: [Double], _ other: [Double]) -> Double {
      func variance(_ values: [Double]) -> Double {
        let mean = mean(values)
        return values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(values.count - 1)
      }
      let error = (variance(one) / Double(one.count) + variance(other) / Double(other.count)).squareRoot()
      return (mean(one) - mean(other)) / error
    }
  #endif
}

#if Server
  /// The position of the wrong byte in a signature.
  enum Forgery: String, CaseIterable {
    case none = "right"
    case firstByte = "wrong first byte"
    case middleByte = "wrong middle byte"
    case lastByte = "wrong last byte"
    case allBytes = "wrong bytes"
    case short = "a byte too short"
    case half = "half of it"
    case long = "a byte too long"

    func forged(_ code: [UInt8]) -> [UInt8] {
      var code = code
      let noise = UInt8.random(in: 1...255)
      switch self {
      case .none: break
      case .firstByte: code[0] ^= noise
      case .middleByte: code[code.count / 2] ^= noise
      case .lastByte: code[code.count - 1] ^= noise
      case .allBytes: code = code.map { $0 ^ .random(in: 1...255) }
      case .short: code.removeLast()
      case .half: code.removeLast(code.count / 2)
      case .long: code.append(noise)
      }
      return code
    }
  }

  enum Sample {
    static let signer = URLSigner([.init(key: Array("a key".utf8), salt: Array("some salt".utf8))])

    /// A number of paths, each with a signature of every kind, so that the text of a single signature does not matter.
    static func urls(_ count: Int) -> [[ImageURL]] {
      (0..<count).map { number in
        let source = "https://example.com/\(number + 100_000).jpg"
        let url = signer.sign(ImageURL(source: source, options: [ImageOption("w", "300")]))
        let text = url.signature.replacing("-", with: "+").replacing("_", with: "/") + "="
        let code = [UInt8](Data(base64Encoded: text)!)
        return Forgery.allCases.map { kind in
          var forged = url
          forged.signature = Data(kind.forged(code)).base64EncodedString()
            .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
          return forged
        }
      }
    }
  }
#endif
