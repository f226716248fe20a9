public import Foundation

extension ImageRequest {
  /// How this request treats the freshness of cached images. The default is `nil`: the pipeline's
  /// ``ImagePipeline/Configuration-swift.struct/freshnessPolicy`` applies.
  public var freshnessPolicy: ImagePipeline.FreshnessPolicy? {
    get { storage.freshnessPolicy }
    set { change(keepingIdentity: true) { $0.freshnessPolicy = newValue } }
  }

  /// The seconds for which a stale image is accepted without validation, unless the server forbids it; infinity for any
  /// time; `nil`, the default, for none.
  ///
  /// It has no effect with ``ImagePipeline/FreshnessPolicy/ignore``, which accepts images of any age, and with
  /// ``ImagePipeline/FreshnessPolicy/revalidate``, which always validates.
  public var maxStale: TimeInterval? {
    get { storage.maxStale }
    set { change(keepingIdentity: true) { $0.maxStale = newValue } }
  }
}
