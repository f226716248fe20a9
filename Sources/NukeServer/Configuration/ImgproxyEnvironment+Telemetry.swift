#if Server
  import Foundation
  import NukeServing

  // The standard variables of OpenTelemetry, which imgproxy reads too:
  // <https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/>.
  extension ImgproxyEnvironment {
    /// Returns the settings for traces and metrics; none if imgproxy would export none.
    static func telemetry(_ environment: [String: String]) throws(ConfigurationError) -> Translation {
      guard try isOn("IMGPROXY_OPEN_TELEMETRY_ENABLE", environment) else { return Translation() }
      try checkProtocol(environment)
      var all = Translation(defaults: [
        "otlp-endpoint": SettingSource.Value(texts: ["http://localhost:4318"], origin: "OpenTelemetry's default"),
        "otlp-service-name": SettingSource.Value(texts: ["imgproxy"], origin: "imgproxy's default"),
      ])
      func set(_ setting: String, _ name: String, _ read: (String) -> [String]?) throws(ConfigurationError) {
        guard let text = environment[name], !text.isEmpty else { return }
        guard let texts = read(text) else {
          throw ConfigurationError(name, at: "environment", "it is not a list of NAME=VALUE, with escaped values")
        }
        all.variables[setting] = SettingSource.Value(texts: texts, origin: name)
      }
      try set("otlp-endpoint", "OTEL_EXPORTER_OTLP_ENDPOINT") { [$0] }
      try set("otlp-headers", "OTEL_EXPORTER_OTLP_HEADERS", entries)
      try set("otlp-attributes", "OTEL_RESOURCE_ATTRIBUTES", entries)
      // A service name among the attributes takes precedence over the default.
      if all.variables["otlp-attributes"]?.texts.contains(where: { $0.hasPrefix("service.name=") }) == true {
        all.defaults["otlp-service-name"] = nil
      }
      try set("otlp-service-name", "OTEL_SERVICE_NAME") { [$0] }
      switch environment["OTEL_TRACES_SAMPLER"] ?? "" {
      case "", "traceidratio", "parentbased_traceidratio": try set("trace-ratio", "OTEL_TRACES_SAMPLER_ARG") { [$0] }
      case "always_on", "parentbased_always_on": break
      case "always_off", "parentbased_always_off": try set("trace-ratio", "OTEL_TRACES_SAMPLER") { _ in ["0"] }
      case let sampler:
        throw ConfigurationError(
          "OTEL_TRACES_SAMPLER", at: "environment", "\(sampler.debugDescription) is not supported; see trace-ratio")
      }
      if try !isOn("IMGPROXY_OPEN_TELEMETRY_ENABLE_METRICS", environment) {
        all.defaults["otlp-metrics-interval"] = SettingSource.Value(texts: ["0"], origin: "imgproxy's default")
      }
      return all
    }

    private static func isOn(_ name: String, _ environment: [String: String]) throws(ConfigurationError) -> Bool {
      guard let text = environment[name], !text.isEmpty else { return false }
      do throws(InvalidValue) {
        return try SettingText.flag(text)
      } catch {
        throw ConfigurationError(name, at: "environment", error.reason)
      }
    }

    /// Rejects the protocol gRPC, which imgproxy uses by default. Collectors accept HTTP at another port.
    private static func checkProtocol(_ environment: [String: String]) throws(ConfigurationError) {
      let name = "OTEL_EXPORTER_OTLP_PROTOCOL"
      if let text = environment[name], !["", "http/json", "http/protobuf", "http", "https"].contains(text) {
        throw ConfigurationError(
          name, at: "environment", "nuke serve exports over HTTP: set it to http/json, and the endpoint to port 4318")
      }
      let endpoint = "OTEL_EXPORTER_OTLP_ENDPOINT"
      if let text = environment[endpoint], URL(string: text)?.port == 4317 {
        throw ConfigurationError(
          endpoint, at: "environment",
          "collectors expect gRPC at port 4317, and nuke serve exports over HTTP: set it to port 4318")
      }
    }

    /// Returns the entries of a list of `NAME=VALUE` with percent-encoded values; `nil` if it is malformed.
    private static func entries(_ text: String) -> [String]? {
      var entries: [String] = []
      for part in text.split(separator: ",") {
        let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
          .map { $0.trimmingCharacters(in: .whitespaces) }
        guard pair.count == 2, !pair[0].isEmpty, let value = pair[1].removingPercentEncoding else { return nil }
        entries.append("\(pair[0])=\(value)")
      }
      return entries
    }
  }
#endif
