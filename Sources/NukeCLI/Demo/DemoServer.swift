#if Command
  import Foundation
  import Nuke
  import NukeOrigin

  /// The web server of the demo. It serves `/<behavior>/<image>`, counts requests, and holds images back.
  final class DemoServer: Sendable {
    /// How the server sends an image.
    enum Behavior: String {
      /// Answers at once.
      case plain
      /// Sends the first half slowly, and the second half after ``open(_:_:)``.
      case slow
      /// Answers after ``open(_:_:)``.
      case held
      /// Sends the first third. Then the connection stalls.
      case stalled
      /// Sends the first half as if the body were complete.
      case cut
    }

    private let images: URL
    private let gates = Lock<[String: ScriptGate]>([:])
    private let server = Lock<NukeOrigin?>(nil)
    private var origin: NukeOrigin { server.withLock { $0! } }

    /// Serves the images in a folder.
    init(images: URL) throws {
      self.images = images
      let origin = try NukeOrigin { [weak self] in self?.respond(to: $0) ?? .status(503) }
      server.withLock { $0 = origin }
    }

    func stop() { origin.stop() }

    func url(_ behavior: Behavior, _ image: String) -> URL { origin.url("/\(behavior.rawValue)/\(image)") }

    /// The number of requests for an image.
    func requestCount(_ behavior: Behavior, _ image: String) -> Int {
      origin.log.requests(to: "/\(behavior.rawValue)/\(image)").count
    }

    /// The number of connections that the client closed before the response was complete.
    var closedEarly: Int { origin.log.closedEarly }

    /// Waits until the log meets a condition, for at most five seconds.
    func wait(until isMet: @escaping @Sendable (NukeOrigin.Log) -> Bool) async {
      _ = try? await origin.waitUntil(seconds: 5, isMet)
    }

    func waitForRequest(_ behavior: Behavior, _ image: String) async {
      await wait { !$0.requests(to: "/\(behavior.rawValue)/\(image)").isEmpty }
    }

    /// Sends an image that is held back.
    func open(_ behavior: Behavior, _ image: String) { gate(of: "/\(behavior.rawValue)/\(image)").open() }

    /// Returns the gate of a path. It may be opened before the image is requested.
    private func gate(of path: String) -> ScriptGate {
      gates.withLock { gates in
        let gate = gates[path] ?? ScriptGate()
        gates[path] = gate
        return gate
      }
    }

    private func respond(to request: NukeOrigin.Request) -> NukeOrigin.Response {
      let parts = request.path.split(separator: "/").map(String.init)
      guard parts.count == 2, let behavior = Behavior(rawValue: parts[0]), var response = image(parts[1]) else {
        return .status(404)
      }
      let gate = gate(of: request.path)
      switch behavior {
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
      let type = name.hasSuffix(".gif") ? "gif" : OutputFormat(path: name)?.format.rawValue
      guard let type, let data = try? Data(contentsOf: images.appendingPathComponent(name)) else { return nil }
      return .data(data, type: "image/\(type)")
    }
  }
#endif
