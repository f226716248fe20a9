public import Foundation
import FoundationNetworking
import Nuke

/// A type that removes images on request.
public protocol RenditionPurging: Sendable {
  /// Removes everything that was made from a source.
  func purge(_ source: URL, results: [RenditionRequest]) async throws(ServingError)
}

extension RenditionService: RenditionPurging {
  /// Removes everything that was made from a source, in all sizes and formats, and the source's stored bytes. The next
  /// request loads the source again.
  ///
  /// This node does so at once, also for renditions that are being rendered. The nodes that share the ``PurgeStore`` do
  /// so within ``ServiceConfiguration/purgeInterval``.
  ///
  /// - Parameters:
  ///   - source: the URL of the source, in the form in which requests have it.
  ///   - results: requests whose files are also deleted from the stores at once. The files of other requests remain there
  ///     unused until they are replaced or evicted.
  /// - Throws: ``ServingError/purgeNotShared`` if the store did not confirm that it recorded the purge. This node has
  ///   removed everything then.
  public func purge(_ source: URL, results: [RenditionRequest] = []) async throws(ServingError) {
    recorder.count(\.purges)
    let isShared = await purges.purge(
      source, PurgeID(UInt64.random(in: 1...UInt64.max)), timeLimit: configuration.storeTimeout)
    forget(source)
    memory.removeAll(of: source)
    for request in results {
      await stores.remove(RenditionKey(request, renderer: renderer.identifier))
    }
    if !isShared { throw .purgeNotShared }
  }

  /// Returns the last purge of a source. If it is new, forgets what this node knows about the source.
  func lastPurge(of source: URL) async -> PurgeID? {
    await purges.last(of: source) { [self] in forget(source) }
  }

  /// Forgets the bytes of a source in the HTTP cache, and its file if it is a watermark.
  private func forget(_ source: URL) {
    watermarks.remove(at: source.absoluteString)
    let loader = pipeline.configuration.dataLoader as? any StreamingDataLoading
    loader?.configuration(for: source)?.urlCache?.removeCachedResponse(for: URLRequest(url: source))
  }
}
