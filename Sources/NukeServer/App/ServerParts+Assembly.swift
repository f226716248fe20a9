#if Server
  import Foundation
  import Hummingbird
  public import Logging
  import Nuke
  import NukeSandbox
  import NukeServing

  extension ImageServer {
    /// A server as its configuration says.
    ///
    /// - Throws: ``ConfigurationError`` for what cannot be set up: a folder that is missing, a preset that is none.
    public init(
      _ configuration: Configuration, metrics: PrometheusRegistry = PrometheusRegistry(), logger: Logger
    ) throws(ConfigurationError) {
      self.init(
        configuration, parts: try ServerParts(configuration, metrics: metrics, logger: logger), metrics: metrics,
        logger: logger)
    }
  }

  extension ServerParts {
    /// The real ones: sources are loaded by the pipeline, made into pictures by the renderer when the service has room for
    /// it, kept in the stores, and sent by the routes.
    init(
      _ configuration: ImageServer.Configuration, metrics: PrometheusRegistry, logger: Logger
    ) throws(ConfigurationError) {
      let presets = try configuration.imagePresets
      let signer = configuration.signer
      let pipeline = try ImagePipeline(
        configuration: configuration.pipeline(metrics: metrics), delegate: StageTimes())
      let renderer = try configuration.renderer
      var stores = try configuration.resultStores
      var leasing: (any RenditionLeasing)?
      #if Redis
        if let url = configuration.redisURL {
          let shared = try SharedStore(url: url, logger: logger)
          stores.append(shared.cache)
          leasing = shared
          collectors.append(shared.metrics)
          if configuration.requiresRedis { complaint = { shared.complaint } }
        }
      #endif
      let service: RenditionService
      let facts: @Sendable (Data) async throws(ServingError) -> PictureFacts
      if configuration.isSandboxed {
        let sandbox = try configuration.sandbox(renderer) { logger.warning("\($0)") }
        service = RenditionService(
          pipeline: pipeline, sandbox: sandbox, stores: stores, leasing: leasing, configuration: configuration.service)
        facts = { source throws(ServingError) in try await sandbox.facts(of: source) }
        collectors.append { sandbox.statistics.metrics }
        close = {
          await service.shutdown(gracePeriod: 1)
          sandbox.shutdown()
        }
      } else {
        service = RenditionService(
          pipeline: pipeline, renderer: renderer, stores: stores, leasing: leasing,
          configuration: configuration.service)
        facts = { source throws(ServingError) in try renderer.facts(of: source) }
        close = { await service.shutdown(gracePeriod: 1) }
      }
      self.signer = signer
      renditions = service
      collectors.append { service.statistics.metrics }
      addRoutes = { router, renditions in
        let routes = ImageRoutes(
          service: renditions, verifier: URLVerifier(signer: signer, allowsUnsigned: configuration.allowsUnsigned),
          presets: presets, settings: configuration.answers,
          facts: { source throws(ServingError) in try await facts(try await pipeline.source(at: source)) })
        routes.add(to: router, at: RouterPath(configuration.pathPrefix))
      }
    }
  }

  extension ImagePipeline {
    fileprivate func source(at url: URL) async throws(ServingError) -> Data {
      do throws(ImagePipeline.Error) {
        return try await data(for: ImageRequest(url: url)).0
      } catch {
        throw ServingError(loading: error)
      }
    }
  }
#endif
