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
  public static func runIfAsked() { runIfAsked { PipelineAnswers($0) } }

  /// Runs a worker with a custom implementation of the answers.
  package static func runIfAsked(_ answers: (Renderer) -> any WorkerAnswering) {
    guard CommandLine.arguments.count == 2, CommandLine.arguments[1] == argument else { return }
    exit(run(answers))
  }

  /// - Returns: the exit code.
  private static func run(_ makeAnswers: (Renderer) -> any WorkerAnswering) -> CInt {
    let line = WorkerLine(socket: socket)
    guard let order = line.next(), order.kind == .setUp else { return 64 }
    let answers: any WorkerAnswering
    do throws(WorkerError) {
      let settings = try FrameCoding.decode(WorkerSettings.self, from: order.payload)
      // Before the files are restricted.
      WarmUp.openLibraries()
      let lockdown = try Lockdown(settings)
      answers = makeAnswers(try settings.renderer(pixels: order.file))
      WarmUp.run(answers)
      try lockdown.close()
      line.send(
        .ready(.init(readsFonts: lockdown.readsFonts, reason: lockdown.reasonWithoutFonts)), to: order.number)
    } catch {
      line.send(.error(.failed(error.reason)), to: order.number)
      return 1
    }
    while let order = line.next() { line.send(answers.reply(to: order), to: order.number) }
    return 0
  }
}

extension WorkerAnswering {
  fileprivate func reply(to order: WorkerLine.Order) -> WorkerReply {
    do {
      let received = try WorkerOrder.request(in: order.payload)
      let (request, count) = (received.request, received.sourceCount)
      guard let files = SealedFile.mapped(order.file, byteCount: count + (received.watermarkCount ?? 0)) else {
        return .error(.overloaded(retryAfter: 1))
      }
      let source = received.watermarkCount == nil ? files : files.prefix(count)
      // A copy, so that its indices begin at zero.
      let watermark = received.watermarkCount.map { _ in Data(files.dropFirst(count)) }
      switch order.kind {
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
