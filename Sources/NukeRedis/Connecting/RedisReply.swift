#if Redis
  import CNukeHiredis
  package import Foundation

  /// A reply from a server.
  package enum RedisReply {
    case status(String)
    case error(String)
    case integer(Int)
    case bytes(RedisBytes)
    case none
    case array([RedisReply])

    /// The maximum size of an error in bytes. The rest is dropped, because errors are logged.
    private static let errorLimit = 512

    /// Takes ownership of a reply from hiredis.
    init(_ reply: UnsafeMutablePointer<redisReply>) throws(RedisError) {
      try self.init(reply, of: RedisReplyOwner(reply))
    }

    private init(_ reply: UnsafeMutablePointer<redisReply>, of owner: RedisReplyOwner) throws(RedisError) {
      switch reply.pointee.type {
      case REDIS_REPLY_STATUS: self = .status(RedisBytes(reply, of: owner).text)
      case REDIS_REPLY_ERROR: self = .error(RedisBytes(reply, of: owner).beginning(limit: Self.errorLimit))
      case REDIS_REPLY_INTEGER: self = .integer(Int(reply.pointee.integer))
      case REDIS_REPLY_STRING: self = .bytes(RedisBytes(reply, of: owner))
      case REDIS_REPLY_NIL: self = .none
      case REDIS_REPLY_ARRAY:
        var elements: [RedisReply] = []
        for index in 0..<reply.pointee.elements {
          guard let element = reply.pointee.element[index] else {
            throw .malformedReply("an element of an array is missing")
          }
          elements.append(try RedisReply(element, of: owner))
        }
        self = .array(elements)
      default: throw .malformedReply("the type \(reply.pointee.type) is unexpected")
      }
    }
  }

  extension RedisReply {
    /// `true` if the server refused to write because it is a replica.
    var isOfReplica: Bool { if case .error(let text) = self { text.hasPrefix("READONLY") } else { false } }
  }

  /// Owns a reply from hiredis, including everything it points to.
  private final class RedisReplyOwner: @unchecked Sendable {
    private let reply: UnsafeMutablePointer<redisReply>

    init(_ reply: UnsafeMutablePointer<redisReply>) { self.reply = reply }

    deinit { freeReplyObject(reply) }
  }

  /// Bytes within a reply, not copied.
  package struct RedisBytes {
    private let reply: UnsafeMutablePointer<redisReply>
    private let owner: RedisReplyOwner

    fileprivate init(_ reply: UnsafeMutablePointer<redisReply>, of owner: RedisReplyOwner) {
      self.reply = reply
      self.owner = owner
    }

    package var count: Int { reply.pointee.len }

    func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
      withExtendedLifetime(owner) { body(UnsafeRawBufferPointer(start: reply.pointee.str, count: count)) }
    }

    package var text: String { withBytes { String(decoding: $0, as: UTF8.self) } }

    /// Returns the text of the first bytes, at most `limit`.
    fileprivate func beginning(limit: Int) -> String {
      withBytes { String(decoding: $0.prefix(limit), as: UTF8.self) }
    }

    /// Returns the bytes from an offset on, not copied.
    package func data(from offset: Int) -> Data {
      guard offset < count, let start = reply.pointee.str else { return Data() }
      let owner = owner
      return Data(
        bytesNoCopy: UnsafeMutableRawPointer(start) + offset, count: count - offset,
        deallocator: .custom { _, _ in withExtendedLifetime(owner) {} })
    }
  }
#endif
