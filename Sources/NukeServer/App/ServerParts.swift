#if Server
  import Hummingbird
  import Logging
  import NukeServing

  /// The parts of a server.
  package struct ServerParts: Sendable {
    /// Answers requests for images.
    package var renditions: any RenditionMaking
    /// Adds the routes of images, which ask the renditions that are handed to it.
    ///
    /// - Returns: those whose images in memory may be sent on a shorter way.
    var addRoutes: @Sendable (Router<ImageServer.Context>, any RenditionMaking) -> ImageRoutes?
    /// Lists of options that URLs may name.
    var presets = ImagePresets()
    /// Signs URLs; `nil` if there is no key.
    var signer: URLSigner?
    /// Room for answers until clients have taken them.
    var sending = SendingBudget(limit: SendingBudget.defaultLimit)
    /// Figures that are read when somebody asks.
    var collectors: [@Sendable () -> [CollectedMetric]] = []
    /// Seconds of a clock that only goes forward.
    var clock: @Sendable () -> Double = { Double(ServiceClock.system.uptime()) / 1e9 }
    /// Why the server cannot do without something that is gone; `nil` while all is well.
    var complaint: @Sendable () -> String? = { nil }
    /// Lets go of all there is, when the last request has ended or was given up.
    var close: @Sendable (ShutdownDeadline) async -> Void = { _ in }
  }
#endif
