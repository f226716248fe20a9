import ArgumentParser
import Foundation
import Nuke
import NukeOrigin

/// The demo's web server, in a process of its own. It prints its port, and ends when its standard input does, so that it
/// never outlives the demo.
struct DemoOriginCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "demo-origin", abstract: "Serve the sample images on loopback, for nuke demo.", shouldDisplay: false)

  func run() async throws {
    let site = DemoSite(images: try Samples.folder())
    let origin = try NukeOrigin { site.respond(to: $0) }
    site.log = { origin.log }
    FileHandle.standardOutput.write(Data("\(origin.port)\n".utf8))
    while !FileHandle.standardInput.availableData.isEmpty {}
    origin.stop()
  }
}

/// What the demo's origin answers: `/<manner>/<image>`, `/_open/<manner>/<image>`, which lets go what is held back,
/// and `/_counts`.
final class DemoSite: Sendable {
  /// How an image is sent.
  enum Manner: String {
    /// At once.
    case plain
    /// Slowly; the second half only once it is let go.
    case slow
    /// Once it is let go.
    case held
    /// A third of it, and then nothing more.
    case stalled
    /// The first half, as if that were all.
    case cut
  }

  /// What stands before the path of an image to let it go.
  static let opening = "/_open"

  private let images: URL
  private let gates = Lock<[String: Gate]>([:])
  private let currentLog = Lock<(@Sendable () -> NukeOrigin.Log)?>(nil)

  init(images: URL) { self.images = images }

  /// Where the counts come from.
  var log: (@Sendable () -> NukeOrigin.Log)? {
    get { currentLog.withLock { $0 } }
    set { currentLog.withLock { $0 = newValue } }
  }

  func respond(to request: NukeOrigin.Request) -> NukeOrigin.Response {
    if request.path == "/_counts" { return counts() }
    if request.path.hasPrefix(Self.opening) {
      gate(of: String(request.path.dropFirst(Self.opening.count))).open()
      return .data(Data("open\n".utf8), type: "text/plain")
    }
    let parts = request.path.split(separator: "/").map(String.init)
    guard parts.count == 2, let manner = Manner(rawValue: parts[0]), let image = image(parts[1]) else {
      return .status(404)
    }
    return respond(with: image, manner, gate(of: request.path))
  }

  /// What holds back the image at `path`. Opened before the image is asked for, it is open then.
  private func gate(of path: String) -> Gate {
    gates.withLock { gates in
      let gate = gates[path] ?? Gate()
      gates[path] = gate
      return gate
    }
  }

  private func respond(
    with image: NukeOrigin.Response, _ manner: Manner, _ gate: Gate
  ) -> NukeOrigin.Response {
    var response = image
    switch manner {
    case .plain: return response
    case .held: return response.held(by: gate)
    case .stalled: return response.scripted(.head, .bytes(response.body.count / 3), .stall)
    case .cut:
      response.body = Data(response.body.prefix(response.body.count / 2))
      return response
    case .slow:
      let pieces = 40
      let slowly = Array(
        repeating: [NukeOrigin.Response.Step.bytes(response.body.count / pieces), .delay(0.015)], count: pieces / 2)
      response.script = [.head] + slowly.joined() + [.wait(gate)] + slowly.dropLast().joined() + [.rest]
      return response
    }
  }

  private func image(_ name: String) -> NukeOrigin.Response? {
    guard !name.hasPrefix("."),
      let format = OutputFormat(fileExtension: (name as NSString).pathExtension)?.format.rawValue
        ?? (name.hasSuffix(".gif") ? "gif" : nil),
      let data = try? Data(contentsOf: images.appendingPathComponent(name))
    else { return nil }
    return .data(data, type: "image/\(format)")
  }

  private func counts() -> NukeOrigin.Response {
    guard let log = log?() else { return .status(503) }
    let paths = log.requests.map(\.path).filter { !$0.hasPrefix("/_") }
    let requests = Dictionary(paths.map { ($0, 1) }, uniquingKeysWith: +)
    let counts = DemoCounts(requests: requests, closedEarly: log.closedEarly)
    return .data((try? JSONEncoder().encode(counts)) ?? Data(), type: "application/json")
  }
}

/// What the demo's origin has counted.
struct DemoCounts: Codable, Sendable {
  /// Requests for images by path.
  var requests: [String: Int] = [:]
  /// Connections that the client closed before it had everything.
  var closedEarly = 0
}
