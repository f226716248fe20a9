import NukeBase
package import NukeOrigin

/// Origins that stop with their owner: a suite, after each of its tests, or a check.
package final class Origins: Sendable {
  private let started = Lock<[NukeOrigin]>([])

  package init() {}

  package func start(
    _ respond: @escaping @Sendable (NukeOrigin.Request) -> NukeOrigin.Response
  ) throws -> NukeOrigin {
    let origin = try NukeOrigin(respond: respond)
    started.withLock { $0.append(origin) }
    return origin
  }

  package func stop() {
    for origin in started.withLock({ $0 }) { origin.stop() }
  }

  deinit { stop() }
}
