extension RenditionService: MemoryRenditions {
  /// A fresh image in memory. A stale one is to be renewed, which ``rendition(for:)`` does.
  package func renditionInMemory(for request: RenditionRequest, byteLimit: Int) -> Rendition? {
    guard let found = memory.record(for: request), found.rendition.data.count <= byteLimit,
      found.freshness.state(at: clock.now()) == .fresh
    else { return nil }
    recorder.countMemoryHit()
    return found.rendition(from: .memory)
  }
}
