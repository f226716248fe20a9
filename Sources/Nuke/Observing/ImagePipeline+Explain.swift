public import Foundation

extension ImagePipeline {
  /// Returns what a load of `request` would do now, without doing it: the cache keys, the caches it would read and
  /// which would answer, the remaining work and bytes, and what would be stored.
  ///
  /// A dry run: it sends no request, calls no closure of the request, and decodes, processes and stores nothing.
  /// Look-ups in an ``ImageCache``, a ``DataCache`` and an ``HTTPCache`` do not affect eviction order. A memory cache
  /// of the program's is read, and a disk cache of the program's is asked whether it has data. The delegate is called
  /// for caches, keys and the decoder, as in a load. Files and disk caches are read on a thread of the pipeline.
  ///
  /// ```swift
  /// print(await pipeline.explain(request))
  /// ```
  ///
  /// The state may have changed when the load itself starts.
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

  /// Returns what a load of the image at `url` would do now, without doing it.
  public func explain(_ url: URL) async -> Explanation { await explain(ImageRequest(url: url)) }
}
