package import Foundation
package import FoundationNetworking
public import Nuke

/// Loads the sources of an image server, with one loader for each scheme.
///
/// ```swift
/// var configuration = DataLoader.defaultConfiguration
/// configuration.addressPolicy = .publicOnly
/// configuration.isLocalResourcesSupportEnabled = false
/// let web = DataLoader(configuration: configuration)
/// let loader = SourceLoader(["http": web, "https": web, "local": LocalSource(root: folder)])
/// let pipeline = ImagePipeline { $0.dataLoader = loader }
/// ```
///
/// A URL that the rules reject, or whose scheme has no loader, fails with a ``ServingError``.
public final class SourceLoader: DataLoading {
  /// The rules that are checked before each load. Their schemes are those of the loaders.
  public let rules: SourceRules
  private let loaders: [String: any DataLoading]
  /// Those of ``loaders`` that know the current versions of their sources.
  private let versions: [String: any SourceVersions]
  /// The budget for sources that are loading.
  package let budget: LoadingBudget

  /// - Parameters:
  ///   - loaders: the loaders by scheme, in lower case.
  ///   - rules: the rules for sources. By default, all sources are allowed.
  ///   - memoryLimit: the maximum size of sources that are loading, in bytes. The default is a sixteenth of the memory
  ///     that this process may use. Above the limit, all transfers but one are paused. If that one is slower than 64
  ///     KiB a second, the next one continues instead. Paused transfers keep their bytes, so up to twice the limit and
  ///     the rest of one source may be in use. A transfer that cannot finish fails with
  ///     ``ServingError/overloaded(retryAfter:)``. Sources of at most one mebibyte are not counted, and never wait.
  public init(
    _ loaders: [String: any DataLoading], rules: SourceRules = SourceRules(), memoryLimit: Int? = nil
  ) {
    var rules = rules
    rules.schemes = Set(loaders.keys)
    self.rules = rules
    self.loaders = loaders
    versions = loaders.compactMapValues { $0 as? any SourceVersions }
    budget = LoadingBudget(limit: memoryLimit ?? MemoryLimit.bytes / 16)
  }
}

extension SourceLoader: SourceVersions {
  func currentVersion(of source: URL) -> CurrentVersion {
    guard !versions.isEmpty, let loader = versions[source.scheme ?? ""] else { return .unknown }
    return loader.currentVersion(of: source)
  }
}

extension SourceLoader: StreamingDataLoading {
  package func stream(_ request: URLRequest, limit: Int?, observer: any StreamObserver) -> any Transfer {
    do throws(ServingError) {
      var request = request
      let url = try rules.checked(request.url?.absoluteString ?? "")
      request.url = url
      guard let loader = loaders[url.scheme ?? ""] else { throw .sourceNotAllowed("Its scheme has no loader.") }
      return BudgetedTransfer.start(budget, firstByte: request.firstByte, observer: observer) { observer in
        if let loader = loader as? any StreamingDataLoading {
          return loader.stream(request, limit: limit, observer: observer)
        }
        return PlainTransfer.start(request, by: loader, limit: limit, observer: observer)
      }
    } catch {
      return FailedTransfer.start(error, observer: observer)
    }
  }

  package func configuration(for url: URL) -> DataLoader.Configuration? {
    (loaders[url.scheme?.lowercased() ?? ""] as? any StreamingDataLoading)?.configuration(for: url)
  }
}

extension URLRequest {
  /// The offset of the first byte that an open-ended range requests (`bytes=100-`); 0 without a `Range` field, and for
  /// other ranges.
  fileprivate var firstByte: Int {
    guard let range = value(forHTTPHeaderField: "Range"), range.hasPrefix("bytes="), range.hasSuffix("-") else {
      return 0
    }
    return max(0, Int(range.dropFirst("bytes=".count).dropLast()) ?? 0)
  }
}
