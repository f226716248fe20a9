package import Foundation
package import FoundationNetworking
public import Nuke
import NukeImaging

/// Loads a server's sources, each scheme by a loader of its own.
///
/// ```swift
/// var configuration = DataLoader.defaultConfiguration
/// configuration.addressPolicy = .publicOnly
/// configuration.isLocalResourcesSupportEnabled = false
/// let web = DataLoader(configuration: configuration)
/// let loader = SourceLoader(["http": web, "https": web, "local": LocalSource(root: pictures)])
/// let pipeline = ImagePipeline { $0.dataLoader = loader }
/// ```
///
/// A URL that the rules refuse, or whose scheme has no loader, fails with a ``ServingError``.
public final class SourceLoader: DataLoading {
  /// Checked before each load; its schemes are those that there are loaders for.
  public let rules: SourceRules
  private let loaders: [String: any DataLoading]
  /// Room for what is on its way.
  package let budget: LoadingBudget

  /// - Parameters:
  ///   - loaders: by scheme, in lower case.
  ///   - rules: which sources are loaded from; all, unless said.
  ///   - memoryLimit: bytes of sources that are held while they are being loaded; a sixteenth of the memory that this
  ///     process may use where it is `nil`. Past it the servers of all but one of them are held up, each in turn if the
  ///     one brings less than 64 KiB a second, so that as much again and the rest of one may come on top. What comes to
  ///     no end for that reason is ``ServingError/overloaded(retryAfter:)``. Sources of which no more than a mebibyte
  ///     has come are not counted, and never wait.
  public init(
    _ loaders: [String: any DataLoading], rules: SourceRules = SourceRules(), memoryLimit: Int? = nil
  ) {
    var rules = rules
    rules.schemes = Set(loaders.keys)
    self.rules = rules
    self.loaders = loaders
    budget = LoadingBudget(limit: memoryLimit ?? MemoryLimit.bytes / 16)
  }
}

extension SourceLoader: StreamingDataLoading {
  package func stream(_ request: URLRequest, limit: Int?, observer: any StreamObserver) -> any Transfer {
    do throws(ServingError) {
      var request = request
      let url = try rules.source(request.url?.absoluteString ?? "")
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
  /// The first byte of the requested range to the end; 0 for the whole or another range.
  fileprivate var firstByte: Int {
    guard let range = value(forHTTPHeaderField: "Range"), range.hasPrefix("bytes="), range.hasSuffix("-") else {
      return 0
    }
    return max(0, Int(range.dropFirst("bytes=".count).dropLast()) ?? 0)
  }
}
