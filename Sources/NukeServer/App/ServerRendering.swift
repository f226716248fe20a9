#if Server
  import Logging
  import Nuke
  import NukeSandbox
  import NukeServing

  /// Renders files in the process of the server, or in a sandbox, with settings that a reload replaces.
  final class ServerRendering: Sendable {
    private let pipeline: ImagePipeline
    private let isSandboxed: Bool
    private let logger: Logger
    private let sandbox = Lock<RenderSandbox?>(nil)

    init(_ pipeline: ImagePipeline, isSandboxed: Bool, logger: Logger) {
      self.pipeline = pipeline
      self.isSandboxed = isSandboxed
      self.logger = logger
    }

    /// Returns the object that renders files with the settings of a renderer. The workers of a previous sandbox end
    /// after their last image.
    func using(
      _ renderer: Renderer, _ configuration: ImageServer.Configuration
    ) throws(ConfigurationError) -> any RenderBackend {
      guard isSandboxed else { return PipelineRenderer(renderer, in: pipeline) }
      let next = try configuration.sandbox(renderer) { [logger] in logger.warning("\($0)") }
      // The previous sandbox is released without the lock.
      _ = sandbox.withLock { exchange(&$0, with: next) }
      return SandboxedRenderer(next)
    }

    /// The metrics of the sandbox; empty if there is none.
    var metrics: [CollectedMetric] { sandbox.withLock { $0 }?.statistics.metrics ?? [] }

    func shutdown() { sandbox.withLock { $0 }?.shutdown() }
  }
#endif
