#if Redis
  import Dispatch

  /// Leases as they are without an object that holds them: for work that ends elsewhere than it began. Whoever has the
  /// token renews it. No thread of Swift's pool is held up.
  extension RedisLeases {
    /// Asks for a lease that ends by itself.
    ///
    /// - Parameter seconds: how long it lives; at least one.
    /// - Returns: the token by which it is given back; `nil` if somebody else has it.
    /// - Throws: where the server does not answer in time, or refuses.
    public func takeToken(for key: String, seconds: Int) async throws(RedisError) -> String? {
      let token = Self.token()
      let command = RedisCommands(
        "SET", .text(keys.lease(key)), .text(token), "NX", "PX", Self.milliseconds(seconds))
      switch try await answer(command) {
      case .status: return token
      case .none: return nil
      case .error(let text): throw .refused(text)
      default: throw .malformedReply("SET gives a status")
      }
    }

    /// Has a lease live for so many seconds from now on, unless it is over or somebody else has it by now.
    ///
    /// - Parameter seconds: at least one.
    /// - Returns: `true` if it is the token's still.
    /// - Throws: where the server does not answer in time, or refuses.
    public func renew(_ token: String, for key: String, seconds: Int) async throws(RedisError) -> Bool {
      let command = RedisCommands(
        "EVAL", .text(Self.renewing), "1", .text(keys.lease(key)), .text(token), Self.milliseconds(seconds))
      switch try await answer(command) {
      case .integer(let count): return count == 1
      case .error(let text): throw .refused(text)
      default: throw .malformedReply("EVAL gives a number")
      }
    }

    private static func milliseconds(_ seconds: Int) -> RedisCommands.Argument {
      .number(min(max(seconds, 1), 1_000_000) * 1000)
    }

    /// Gives a lease back, unless somebody else has it by now. Where the server does not answer, it ends by itself.
    public func giveBack(_ token: String, for key: String) async {
      _ = try? await answer(RedisCommands("EVAL", .text(Self.releasing), "1", .text(keys.lease(key)), .text(token)))
    }

    private func answer(_ command: RedisCommands) async throws(RedisError) -> RedisReply {
      let result: Result<RedisReply, RedisError> = await withCheckedContinuation { continuation in
        asking.async { [pool] in
          do throws(RedisError) {
            continuation.resume(returning: .success(try pool.exchange(command, limit: 1024)[0]))
          } catch {
            continuation.resume(returning: .failure(error))
          }
        }
      }
      if case .failure(let error) = result { log.note(error) }
      return try result.get()
    }
  }
#endif
