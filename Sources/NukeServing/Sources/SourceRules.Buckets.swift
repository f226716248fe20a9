extension SourceRules {
  /// The buckets of an object store that a server may read.
  public struct Buckets: Sendable, Hashable {
    /// The names of the allowed buckets. If the list is empty, all are allowed.
    public var allowed: [String]
    /// The names of the denied buckets, even if they are in ``allowed``.
    public var denied: [String]

    public init(allowed: [String] = [], denied: [String] = []) {
      self.allowed = allowed
      self.denied = denied
    }

    func allows(_ name: String) -> Bool { (allowed.isEmpty || allowed.contains(name)) && !denied.contains(name) }
  }
}
