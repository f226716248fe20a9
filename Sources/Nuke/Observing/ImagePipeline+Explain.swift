public import Foundation
import NukeBase

extension ImagePipeline {
  /// Returns what a load of `request` would do now, without performing it. This includes the cache keys, the look-ups
  /// and their results, the remaining work and its size, and what would be stored.
  ///
  /// A dry run sends no request, calls no closure of the request, and decodes, processes and stores nothing. Look-ups
  /// in an ``ImageCache``, a ``DataCache`` and an ``HTTPCache`` do not affect their eviction order. A custom memory
  /// cache is read. For a custom disk cache, only ``DataCaching/containsData(for:)`` is called. The delegate is called
  /// for caches, keys and the decoder, as in a load. Files and disk caches are read on a thread of the pipeline.
  ///
  /// ```swift
  /// print(await pipeline.explain(request))
  /// ```
  ///
  /// When the load itself starts, the state may have changed.
  public func explain(_ request: ImageRequest) async -> Explanation {
    let box = Lock<Explanation?>(nil)
    await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
      unlimitedQueue.add {
        let explanation = Explainer.explain(request, on: self)
        box.withLock { $0 = explanation }
        continuation.resume()
      }
    }
    return box.withLock { $0! }
  }

  /// Returns what a load of the image at `url` would do now, without performing it.
  public func explain(_ url: URL) async -> Explanation { await explain(ImageRequest(url: url)) }
}
