import Nuke

/// Has equal requests that come at the same time loaded once.
///
/// Requests are equal that have equal ``Request/loadKey``s. All who asked get the same outcome; the load is given up
/// when the last of them has canceled. A ``Loader`` shares loads by itself; this is for other kinds of ``Loading``.
public final class Deduplicator: Loading {
  private let loader: any Loading
  private let loads = SharedLoads()

  /// A loader that has `loader` load what is not being loaded.
  public init(loader: any Loading) { self.loader = loader }

  /// Joins the load of an equal request, or starts one. The promise fails with `ImagePipeline.Error.cancelled` where
  /// the token was canceled, though others may still wait.
  @discardableResult
  public func loadImage(with request: Request, token: CancellationToken?) -> Promise<Image> {
    if token?.isCancelling == true { return Promise(error: ImagePipeline.Error.cancelled) }
    return loads.join(request.joinKey, token: token) { token in loader.loadImage(with: request, token: token) }
  }
}
