package import Foundation
public import Nuke
public import NukeServing

/// Renders files in the workers of a sandbox. The files equal those of the ``Renderer``.
package struct SandboxedRenderer: RenderBackend {
  private let sandbox: RenderSandbox
  package let identifier: String

  package init(_ sandbox: RenderSandbox) {
    self.sandbox = sandbox
    identifier = sandbox.renderer.identifier
  }

  package func plan(
    _ request: RenditionRequest, source: Data, watermark: Data?
  ) async throws(ServingError) -> PlannedRendition {
    if request.output == .facts {
      let facts = try await sandbox.facts(of: source)
      return PlannedRendition(decodedBytes: 0) { () async throws(ServingError) in RenderedFile(facts) }
    }
    // Both files as one, which also identifies them among those that have ended workers: a source is not refused because
    // of a watermark.
    let files = watermark.map { source + $0 } ?? source
    let file = try sandbox.file(of: files, watermarkCount: files.count - source.count)
    return try await plan(request, source, watermark: watermark, in: files, file)
  }

  /// - Parameters:
  ///   - files: the source and the watermark.
  ///   - file: the same in the form that is shared with workers.
  func plan(
    _ request: RenditionRequest, _ source: Data, watermark: Data? = nil, in files: Data, _ file: SealedFile
  ) async throws(ServingError) -> PlannedRendition {
    let planRequest = WorkerRequest(.plan, request, sourceCount: source.count, watermarkCount: watermark?.count)
    let limit = sandbox.renderer.limits.maximumResultBytes
    let job = RenderJob(planRequest, file, fileLimit: 0, isSlowToOpen: source.isSlowToOpen)
    guard case .plan(let decodedBytes) = try await sandbox.reply(to: job, for: files) else {
      throw .failed("a worker of the sandbox sent an unexpected reply")
    }
    return PlannedRendition(decodedBytes: decodedBytes) { () async throws(ServingError) in
      let job = RenderJob(
        planRequest.with(.render), file, fileLimit: limit, isSlowToOpen: source.isSlowToOpen,
        decodedBytes: decodedBytes)
      return try await render(request, source, files, job)
    }
  }

  private func render(
    _ request: RenditionRequest, _ source: Data, _ files: Data, _ job: RenderJob
  ) async throws(ServingError) -> RenderedFile {
    let start = ContinuousClock.now
    let reply = try await sandbox.reply(to: job, for: files)
    // Only the server knows the request, so it must check here that the reply is one that this request can have.
    switch reply {
    case .file(let file, let times):
      guard (file.contentType == WorkerReply.plainText) == (request.options.placeholder != nil) else {
        throw .notAnImage("its worker rendered a result of another kind")
      }
      times.note(within: (ContinuousClock.now - start) / .seconds(1))
      return file
    case .source(let format):
      let isAsked = request.options.isRaw || request.options.skippedFormats.contains(format)
      guard isAsked, format != .svg || sandbox.renderer.settings.sendsSVG else {
        throw .notAnImage("its worker returned a source that must not be sent")
      }
      return try RenderedFile(source: source, format)
    default: throw .failed("a worker of the sandbox sent an unexpected reply")
    }
  }
}

extension RenditionService {
  /// Creates a service whose images are rendered in a sandbox.
  ///
  /// - Parameters:
  ///   - pipeline: loads sources. It decodes nothing.
  ///   - sandbox: renders the files with the renderer it was created with.
  ///   - stores: caches for files in addition to memory, the fastest first.
  ///   - leasing: elects one of the nodes that share a store to render a file.
  ///   - configuration: limits for memory, work and time, and freshness lifetimes.
  public convenience init(
    pipeline: ImagePipeline, sandbox: RenderSandbox, stores: [any DataCaching] = [],
    leasing: (any DataLeasing)? = nil, configuration: ServiceConfiguration = ServiceConfiguration()
  ) {
    self.init(
      pipeline: pipeline, renderer: SandboxedRenderer(sandbox), stores: stores, leasing: leasing,
      configuration: configuration, clock: .system)
  }
}
