import CNukeSandbox
import Foundation
import NukeBase
package import NukeServing

/// The worker's side of a ``RenderSandbox``.
public enum RenderWorker {
  /// The argument with which a program is started as a worker.
  package static let argument = "--nuke-render-worker"
  /// The descriptor of the socket to the server.
  package static let socket: CInt = 3

  /// If this process was started as a worker, runs the worker until the server closes the connection, and exits the
  /// process. Otherwise, returns at once.
  ///
  /// Call it first in `main`, before any thread is started. If other threads exist, the worker may be unable to read
  /// fonts. Register custom formats before the call.
  public static func runIfAsked() { runIfAsked { PipelineRequestHandler($0) } }

  /// Runs a worker with a custom handler of its requests.
  package static func runIfAsked(_ makeHandler: (Renderer) -> any WorkerRequestHandler) {
    guard CommandLine.arguments.count == 2, CommandLine.arguments[1] == argument else { return }
    exit(run(makeHandler))
  }

  /// - Returns: the exit code.
  private static func run(_ makeHandler: (Renderer) -> any WorkerRequestHandler) -> CInt {
    let connection = ServerConnection(socket: socket)
    guard let request = connection.next(), request.kind == .setUp else { return 64 }
    let handler: any WorkerRequestHandler
    do throws(WorkerError) {
      let settings = try FrameCoding.decode(WorkerSettings.self, from: request.payload)
      // Before the files are restricted.
      WarmUp.openLibraries()
      let lockdown = try Lockdown(settings)
      handler = makeHandler(try settings.renderer(pixels: request.file))
      WarmUp.run(handler)
      try lockdown.close()
      connection.send(
        .ready(.init(readsFonts: lockdown.readsFonts, reason: lockdown.reasonWithoutFonts)), to: request.number)
    } catch {
      connection.send(.error(.failed(error.reason)), to: request.number)
      return 1
    }
    while let request = connection.next() { connection.send(handler.reply(to: request), to: request.number) }
    return 0
  }
}

extension WorkerRequestHandler {
  fileprivate func reply(to message: ServerConnection.Request) -> WorkerReply {
    do {
      let received = try WorkerRequest.request(in: message.payload)
      let (request, count) = (received.request, received.sourceCount)
      guard let files = SealedFile.mapped(message.file, byteCount: count + (received.watermarkCount ?? 0)) else {
        return .error(.overloaded(retryAfter: 1))
      }
      let source = received.watermarkCount == nil ? files : files.prefix(count)
      // A copy, so that its indices begin at zero.
      let watermark = received.watermarkCount.map { _ in Data(files.dropFirst(count)) }
      switch message.kind {
      case .plan: return .plan(decodedBytes: try decodedBytes(request, source, watermark))
      case .render:
        let times = Lock(RenderTimes())
        let stages = RenderStages { stage, seconds, _ in times.withLock { $0.add(stage, seconds) } }
        switch try RenderStages.$current.withValue(stages, operation: { try render(request, source, watermark) }) {
        case .file(let file): return .file(file, times.withLock { $0 })
        case .source(let format): return .source(format)
        }
      case .facts: return .facts(try facts(source))
      case .setUp: return .error(.failed("a worker is set up twice"))
      }
    } catch let error as WorkerError {
      return .error(.failed(error.reason))
    } catch {
      return .error(ServingError(loading: error))
    }
  }
}
