public import Foundation

extension ImageRequest {
  /// How this request treats the freshness of cached images. The default is `nil`: the pipeline's
  /// ``ImagePipeline/Configuration-swift.struct/freshnessPolicy`` applies.
  public var freshnessPolicy: ImagePipeline.FreshnessPolicy? {
    get { storage.freshnessPolicy }
    set { change(keepingIdentity: true) { $0.freshnessPolicy = newValue } }
  }

  /// Seconds past its freshness for which a stored image is accepted without asking the server, unless the server
  /// forbids it; infinity for any time; `nil`, which is the default, for none. Of no meaning under
  /// ``ImagePipeline/FreshnessPolicy/ignore``, which accepts all, and ``ImagePipeline/FreshnessPolicy/revalidate``,
  /// which always asks.
  public var maxStale: TimeInterval? {
    get { storage.maxStale }
    set { change(keepingIdentity: true) { $0.maxStale = newValue } }
  }
}
