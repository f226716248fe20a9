import CNukeSandbox
public import Foundation
import NukeImaging
public import NukeServing

/// Processes that make images and can touch nothing: no files but fonts, no network, no other process. A hole in a
/// decoder then leads to a process that holds the images it was given, and nothing else.
///
/// Workers are started at once, and replaced when they die, take too long or have made their images. One that dies
/// takes the image with it that it worked on, and no other. May be used from any thread. All workers end with the
/// sandbox, and with the process.
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
  let crew: WorkerCrew

  /// Starts the workers, and returns as soon as the first one is locked in.
  ///
  /// - Parameters:
  ///   - renderer: what workers go by.
  ///   - configuration: how many workers there are, and what each of them may take.
  ///   - report: is told, in a line, what whoever runs the server should know: of workers that died, and of a kernel that
  ///     lacks something. Called on any thread.
  /// - Throws: ``SandboxError`` where the kernel cannot do it, or the program does not run as a worker.
  public init(
    renderer: Renderer, configuration: SandboxConfiguration = SandboxConfiguration(),
    report: @escaping @Sendable (String) -> Void = { _ in }
  ) throws(SandboxError) {
    // Else each worker would start workers.
    guard getenv(WorkerProcess.mark) == nil else {
      throw .cannotStart("the program was started as one, and has not called RenderWorker.runIfAsked()")
    }
    guard nuke_sandbox_has_filters() else { throw .noFilters }
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
      guard pixels != nil else { throw .cannotStart("there is no memory for the watermark") }
    }
    crew = WorkerCrew(configuration, settings, pixels: pixels, report: report)
    try crew.start()
  }

  deinit { crew.shutdown() }

  /// The statistics so far.
  public var statistics: SandboxStatistics { crew.statistics }

  /// Ends all workers, and returns when they have ended. Their orders fail.
  public func shutdown() { crew.shutdown() }

  /// Returns the facts in the header of a source, as a worker reads it. Decodes nothing.
  ///
  /// - Throws: `ServingError.notAnImage(_:)`, `ServingError.tooLarge(_:)`.
  public func facts(of source: Data) async throws(ServingError) -> ImageFacts {
    let file = try file(of: source)
    let order = WorkerOrder(.facts, RenditionRequest(source: URL(fileURLWithPath: "/")), sourceCount: source.count)
    guard case .facts(let facts) = try await crew.reply(to: RenderJob(order, file, fileLimit: 0)) else {
      throw .failed("a worker of the sandbox answers what was not asked")
    }
    return facts
  }

  /// The source as workers get it.
  func file(of source: Data) throws(ServingError) -> SealedFile {
    try renderer.limits.check(sourceBytes: source.count)
    guard let file = SealedFile(source) else { throw .overloaded(retryAfter: 1) }
    return file
  }
}

/// Why there is no sandbox.
public enum SandboxError: Error, Sendable, Hashable {
  /// The kernel cannot filter system calls.
  case noFilters
  /// A worker could not be started, in words.
  case cannotStart(String)
}

extension SandboxError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .noFilters: "The kernel cannot filter system calls (seccomp), without which there is no sandbox."
    case .cannotStart(let reason): "A worker of the sandbox cannot be started: \(reason)."
    }
  }
}

/// The statistics of a sandbox since it was created.
public struct SandboxStatistics: Sendable, Hashable {
  /// Workers that are there.
  public var workers = 0
  /// The number of these that are busy.
  public var busy = 0
  /// Orders that wait for a worker.
  public var waiting = 0
  /// Workers that were started, the first ones included.
  public var starts = 0
  /// Orders that were answered. An image takes two: a plan and the rendering.
  public var answers = 0
  /// Workers that died at work, or made no sense.
  public var crashes = 0
  /// Workers that were ended since they took too long, or since nobody waited for them any more.
  public var overruns = 0
  /// Workers that were ended since they had made their images, or kept too much memory.
  public var retirements = 0

  /// Creates empty statistics.
  public init() {}
}
