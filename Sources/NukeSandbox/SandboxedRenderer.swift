package import Foundation
public import Nuke
public import NukeServing

/// Makes files in the workers of a sandbox: the same that a ``Renderer`` makes.
package struct SandboxedRenderer: RenditionRendering {
  private let sandbox: RenderSandbox
  package let identifier: String

  package init(_ sandbox: RenderSandbox) {
    self.sandbox = sandbox
    identifier = sandbox.renderer.identifier
  }

  package func plan(_ request: RenditionRequest, source: Data) async throws(ServingError) -> PlannedRendition {
    if request.output == .facts {
      let facts = try await sandbox.facts(of: source)
      return PlannedRendition(decodedBytes: 0) { () async throws(ServingError) in RenderedFile(facts) }
    }
    let file = try sandbox.file(of: source)
    let plan = WorkerOrder(.plan, request, sourceCount: source.count)
    let limit = sandbox.renderer.limits.maximumResultBytes
    guard case .plan(let decodedBytes) = try await sandbox.crew.reply(to: RenderJob(plan, file, fileLimit: 0)) else {
      throw .failed("a worker of the sandbox answers what was not asked")
    }
    return PlannedRendition(decodedBytes: decodedBytes) { () async throws(ServingError) in
      try await render(request, source, RenderJob(plan.with(.render), file, fileLimit: limit))
    }
  }

  private func render(
    _ request: RenditionRequest, _ source: Data, _ job: RenderJob
  ) async throws(ServingError) -> RenderedFile {
    let start = ContinuousClock.now
    let reply = try await sandbox.crew.reply(to: job)
    // What else a worker may not say is known to the server alone: what was asked for.
    switch reply {
    case .file(let file, let times):
      guard (file.contentType == WorkerReply.plainText) == (request.options.placeholder != nil) else {
        throw .notAnImage("its worker made what was not asked for")
      }
      times.note(within: (ContinuousClock.now - start) / .seconds(1))
      return file
    case .source(let format):
      let isAsked = request.options.isRaw || request.options.skippedFormats.contains(format)
      guard isAsked, format != .svg || sandbox.renderer.settings.sendsSVG else {
        throw .notAnImage("its worker sends a source that is not to be sent")
      }
      return RenderedFile(data: source, contentType: format.mediaType)
    default: throw .failed("a worker of the sandbox answers what was not asked")
    }
  }
}

extension RenditionService {
  /// A service whose images are made in a sandbox.
  ///
  /// - Parameters:
  ///   - pipeline: loads sources. It decodes nothing.
  ///   - sandbox: makes the files; its workers go by the renderer that it was made with.
  ///   - stores: where files are kept beside memory, the nearest first.
  ///   - leasing: elects one of the nodes that share a store to make a file.
  ///   - configuration: limits of memory, work and time, and how long answers are fresh.
  public convenience init(
    pipeline: ImagePipeline, sandbox: RenderSandbox, stores: [any DataCaching] = [],
    leasing: (any DataLeasing)? = nil, configuration: ServiceConfiguration = ServiceConfiguration()
  ) {
    self.init(
      pipeline: pipeline, renderer: SandboxedRenderer(sandbox), stores: stores, leasing: leasing,
      configuration: configuration, clock: .system)
  }
}
