import Nuke

extension ImageCacheKey {
  /// Today's key for what version 4 calls `key`: the key itself where it is one of today's.
  init(legacy key: AnyHashable) { self = key.base as? ImageCacheKey ?? ImageCacheKey(value: key) }

  /// What version 4 calls the image.
  var legacy: AnyHashable { value ?? AnyHashable(self) }
}
