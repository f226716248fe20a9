public import Foundation

/// Loads images.
public protocol Loading: Sendable {
  /// Starts to load what `request` asks for. May be called from any thread, and returns at once.
  ///
  /// - Parameters:
  ///   - request: what is wanted.
  ///   - token: gives the load up when it is canceled; the promise fails then.
  @discardableResult
  func loadImage(with request: Request, token: CancellationToken?) -> Promise<Image>
}

extension Loading {
  /// Starts to load what `request` asks for, to the end.
  @discardableResult
  public func loadImage(with request: Request) -> Promise<Image> { loadImage(with: request, token: nil) }

  /// Starts to load the image at `url`.
  ///
  /// - Parameters:
  ///   - url: where the image is.
  ///   - token: gives the load up when it is canceled; the promise fails then.
  @discardableResult
  public func loadImage(with url: URL, token: CancellationToken? = nil) -> Promise<Image> {
    loadImage(with: Request(url: url), token: token)
  }
}
