/// Objects by key that live as long as something else retains them. A value type. There is none in
/// swift-collections.
struct WeakTable<Key: Hashable, Object: AnyObject> {
  private struct Reference {
    weak var object: Object?
  }

  private var references: [Key: Reference] = [:]
  /// The number of entries at which those of released objects are removed.
  private var limit = 64

  /// The number of entries, including those of released objects.
  var count: Int { references.count }

  /// Returns the object for `key`. If there is none, adds the one that `make` returns.
  ///
  /// - Parameter others: receives the objects of other keys that were looked at. The caller releases them outside of
  ///   locks, because they may have become the last references.
  mutating func object(for key: Key, others: inout [Object], orAdd make: () -> Object) -> Object {
    if let object = references[key]?.object { return object }
    if references.count >= limit {
      references = references.filter { entry in
        guard let object = entry.value.object else { return false }
        others.append(object)
        return true
      }
      limit = max(64, references.count * 2)
    }
    let object = make()
    references[key] = Reference(object: object)
    return object
  }
}
