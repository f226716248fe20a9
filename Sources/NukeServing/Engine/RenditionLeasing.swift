/// Lets one of many nodes make a file while the others wait for it.
///
/// A lease ends by itself after its time unless it is renewed, so that another node takes over from one that has died.
/// Nothing wrong comes of two nodes that hold the same lease: the file is made twice.
public protocol RenditionLeasing: Sendable {
  /// Asks for the lease of a key, for so many seconds. It answers soon, in any case.
  func acquire(_ key: String, seconds: Int) async -> LeaseAnswer
  /// Lets a lease live for so many seconds more from now on. It answers soon, in any case.
  ///
  /// - Returns: `false` if the node has lost it: its time was over, or another node has it. True where nobody could
  ///   say.
  func renew(_ key: String, token: String, seconds: Int) async -> Bool
  /// Gives back a lease that was granted, unless another node has it by now.
  func release(_ key: String, token: String) async
}

/// The answer to a node that asks for a lease.
public enum LeaseAnswer: Sendable, Hashable {
  /// It is to do the work, and to give the lease back under this token.
  case granted(token: String)
  /// Another node does the work.
  case held
  /// There is nobody who could say; the work is done.
  case unavailable
}
