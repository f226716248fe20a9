/// Keeps decoded images in memory. Called from any thread, and often, so it should be quick.
public protocol Caching: AnyObject, Sendable {
  /// The image of `key`. Setting stores it, `nil` removes it.
  subscript(key: AnyHashable) -> Image? { get set }
}

extension Caching {
  /// The image of `request`, with what is done to it, whatever the request says of reading and writing. Setting stores
  /// it, `nil` removes it.
  public subscript(request: Request) -> Image? {
    get { self[request.memoryKey] }
    set { self[request.memoryKey] = newValue }
  }
}
