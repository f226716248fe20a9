import CNukeSandbox
public import Foundation
import NukeCodecs
import NukeImaging
public import NukeServing

/// Renders images in sandboxed processes that can access no files except fonts, no network and no other process. A
/// vulnerability in a decoder then exposes only a process that holds the images it was given.
///
/// The workers start at once. They are replaced when they crash, exceed a limit, or have rendered a number of images. A
/// worker that crashes affects only the image that it is processing. May be used from any thread. All workers end with
/// the sandbox, and with the process.
///
/// ```swift
/// @main enum Program {
///   static func main() throws {
///     RenderWorker.runIfAsked()
///     let sandbox = try RenderSandbox(renderer: Renderer())
///     let service = RenditionService(pipeline: pipeline, sandbox: sandbox)
///     // …
///   }
/// }
/// ```
public final class RenderSandbox: Sendable {
  public let configuration: SandboxConfiguration
  let renderer: Renderer
  let pool: SandboxPool
  private let fatalSources = FatalSources { ContinuousClock.now - FatalSources.start }

  /// Starts the workers, and returns as soon as the first one is sandboxed.
  ///
  /// - Parameters:
  ///   - renderer: the renderer whose settings the workers use.
  ///   - configuration: the number of workers, and their limits.
  ///   - report: receives one-line messages for the operator, about workers that crashed and missing features of the
  ///     kernel. Called on any thread.
  /// - Throws: ``SandboxError`` if the kernel does not support the sandbox, or the program does not run as a worker.
  public init(
    renderer: Renderer, configuration: SandboxConfiguration = SandboxConfiguration(),
    report: @escaping @Sendable (String) -> Void = { _ in }
  ) throws(SandboxError) {
    // Otherwise, each worker would start workers.
    guard getenv(WorkerProcess.environmentVariable) == nil else {
      throw .cannotStart("the program was started as a worker, and has not called RenderWorker.runIfAsked()")
    }
    guard Self.isSupported else { throw .noFilters }
    self.configuration = configuration
    self.renderer = renderer
    var settings = WorkerSettings()
    settings.limits = renderer.limits
    settings.settings = renderer.settings
    settings.memoryLimit = configuration.memoryLimit
    settings.folders = configuration.fontFolders
    var pixels: SealedFile?
    if let watermark = renderer.watermark {
      let image = watermark.image
      settings.watermark = .init(
        id: watermark.id, opacity: watermark.opacity, width: image.pixelWidth, height: image.pixelHeight,
        isOpaque: image.isOpaque)
      pixels = SealedFile(image.withUnsafeBytes { Data($0) })
      guard pixels != nil else { throw .cannotStart("out of memory for the watermark") }
    }
    pool = SandboxPool(configuration, settings, pixels: pixels, report: report)
    try pool.start()
  }

  deinit { pool.shutdown() }

  /// A Boolean value that indicates whether the kernel supports the sandbox.
  public static var isSupported: Bool { nuke_sandbox_has_filters() }

  /// The statistics since the sandbox was created.
  public var statistics: SandboxStatistics { pool.statistics }

  /// Ends all workers, and returns when they have ended. Pending requests fail.
  public func shutdown() { pool.shutdown() }

  /// Returns the facts in the header of a source, as a worker reads it. Decodes nothing.
  ///
  /// - Throws: `ServingError.notAnImage(_:)`, `ServingError.tooLarge(_:)`.
  public func facts(of source: Data) async throws(ServingError) -> ImageFacts {
    try await facts(of: source, try file(of: source))
  }

  func facts(of source: Data, _ file: SealedFile) async throws(ServingError) -> ImageFacts {
    let request = WorkerRequest(.facts, RenditionRequest(source: URL(fileURLWithPath: "/")), sourceCount: source.count)
    guard
      case .facts(let facts) = try await reply(
        to: RenderJob(request, file, fileLimit: 0, isSlowToOpen: source.isSlowToOpen), for: source)
    else {
      throw .failed("a worker of the sandbox sent an unexpected reply")
    }
    return facts
  }

  /// Returns the reply of a worker.
  ///
  /// - Throws: `ServingError.notAnImage(_:)` without sending a request to a worker, if the source has crashed two
  ///   workers within an hour, or made them run out of memory.
  func reply(to job: RenderJob, for source: Data) async throws(ServingError) -> WorkerReply {
    try fatalSources.check(source)
    do throws(ServingError) {
      return try await pool.reply(to: job)
    } catch {
      if job.hasEndedWorker, fatalSources.note(source) { throw FatalSources.refusal }
      throw error
    }
  }

  /// Returns the source in the form that is shared with workers.
  ///
  /// - Parameter watermarkCount: the size of the watermark at the end of the data.
  func file(of source: Data, watermarkCount: Int = 0) throws(ServingError) -> SealedFile {
    try renderer.limits.check(sourceBytes: source.count - watermarkCount)
    try renderer.limits.check(sourceBytes: watermarkCount)
    guard let file = SealedFile(source) else { throw .overloaded(retryAfter: 1) }
    return file
  }
}

extension Data {
  /// `true` for an image of which more than a header is read when it is opened.
  var isSlowToOpen: Bool { ImageReaders.openingByteCount(of: self) != nil }
}

/// The reason why a sandbox cannot be created.
public enum SandboxError: Error, Sendable, Hashable {
  /// The kernel does not support filters for system calls.
  case noFilters
  /// A worker could not be started, for the given reason.
  case cannotStart(String)
}

extension SandboxError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .noFilters: "The sandbox needs a kernel that filters system calls (seccomp)."
    case .cannotStart(let reason): "A worker of the sandbox cannot be started: \(reason)."
    }
  }
}

/// The statistics of a sandbox since it was created.
public struct SandboxStatistics: Sendable, Hashable {
  /// The number of running workers.
  public var workers = 0
  /// The number of busy workers.
  public var busy = 0
  /// The number of requests that wait for a worker.
  public var waiting = 0
  /// The number of started workers, including the first ones.
  public var starts = 0
  /// The number of answered requests. An image needs two: a plan and the rendering.
  public var answers = 0
  /// The number of workers that crashed or sent invalid replies.
  public var crashes = 0
  /// The number of workers that were ended because they exceeded the time limit or did not stop after a cancellation.
  public var overruns = 0
  /// The number of workers that were replaced because they had rendered their number of images or held too much memory.
  public var retirements = 0

  /// Creates empty statistics.
  public init() {}
}
