public import Foundation

extension ImagePipeline {
  /// Returns what a load of `request` would do now, without doing it: the cache keys, the caches it would read and
  /// which would answer, the remaining work and bytes, and what would be stored.
  ///
  /// A dry run. It never asks a server, calls no closure of the request, decodes, processes and stores nothing, and a
  /// look into an ``ImageCache``, a ``DataCache`` or an ``HTTPCache`` counts as no use, so that they stay as they were.
  /// A memory cache of the program's own is asked for the image, and a disk cache of its own whether it has data: what
  /// is in that data cannot be told. The delegate is asked for caches, keys and the decoder as in a load. Files and
  /// what is on disk are read, on a thread of the pipeline's own.
  ///
  /// ```swift
  /// print(await pipeline.explain(request))
  /// ```
  ///
  /// All of it may have changed when the load itself comes.
  public func explain(_ request: ImageRequest) async -> Explanation {
    let box = Lock<Explanation?>(nil)
    await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
      unlimitedQueue.add(
        WorkItem {
          let explanation = Explainer.explain(request, on: self)
          box.withLock { $0 = explanation }
          continuation.resume()
          return .done
        })
    }
    return box.withLock { $0! }
  }

  /// Returns what a load of the image at `url` would do now, without doing it.
  public func explain(_ url: URL) async -> Explanation { await explain(ImageRequest(url: url)) }
}
