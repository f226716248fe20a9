#if Redis
  import Foundation
  import Nuke

  extension RedisDataCache {
    /// The maximum size of a batch of changes that are sent together.
    private static let batch = (bytes: 1 << 20, count: 256)
    /// The number of keys that the server scans in one step when all data is removed.
    private static let scanCount = 1000

    func change(_ body: (inout State) -> Void) {
      state.withLock { body(&$0) }
      writeIfNeeded()
    }

    /// Starts writing pending changes, unless they are being written already.
    func writeIfNeeded() {
      let isFirst = state.withLock { state in
        guard !state.isWriting, !state.changes.isEmpty else { return false }
        state.isWriting = true
        return true
      }
      // The closure retains the cache until all pending changes are written.
      if isFirst { queue.async { self.write() } }
    }

    /// Waits until all changes made before this call are on the server, or were dropped.
    public func flush() { queue.sync { write() } }

    private enum Step {
      case done
      case removeAll(UInt64)
      case apply([(key: String, write: PendingWrites.Write)])
    }

    private func write() {
      while true {
        let step = state.withLock { state -> Step in
          if let number = state.changes.removalOfAll { return .removeAll(number) }
          let batch = state.changes.next(bytes: Self.batch.bytes, count: Self.batch.count)
          if batch.isEmpty { state.isWriting = false }
          return batch.isEmpty ? .done : .apply(batch)
        }
        // Includes the followers of changes that were replaced when all data was removed.
        for follower in state.withLock({ $0.changes.takeFollowers() }) { follower() }
        do throws(RedisError) {
          switch step {
          case .done: return
          case .removeAll(let number):
            try removeAllKeys()
            state.withLock { $0.changes.finishRemovalOfAll(number) }
          case .apply(let batch): try apply(batch)
          }
        } catch {
          return giveUp(error)
        }
      }
    }

    private func apply(_ batch: [(key: String, write: PendingWrites.Write)]) throws(RedisError) {
      var commands = RedisCommands()
      for (name, write) in batch {
        let key = RedisCommands.Argument.text(keys.data(name))
        switch write {
        case .store(let data, let milliseconds):
          let value = RedisCommands.Argument.bytes(ValueSeal.bytes(for: data, key: name), data)
          commands.add("SET", key, value, "PX", .number(milliseconds))
        case .remove: commands.add("UNLINK", key)
        }
      }
      let replies = try pool.exchange(commands, as: .write, limit: 64 << 10 + batch.count * 512)
      var (stored, refused, refusal) = (0, [String](), "")
      for ((key, write), reply) in zip(batch, replies) {
        switch (reply, write) {
        case (.error(let text), .store):
          refused.append(key)
          refusal = text
        case (.error(let text), .remove): note(.refused(text))
        case (_, .store): stored += 1
        case (_, .remove): break
        }
      }
      state.withLock { state in
        for (key, _) in batch { state.changes.finish(key) }
        state.counts.stored += stored
        state.counts.dropped += refused.count
        // If new data cannot be stored, the old data must be removed. A server without free memory still removes keys.
        for key in refused where state.changes[key] == nil { _ = state.changes.add(.remove, for: key) }
      }
      if !refused.isEmpty { note(.refused(refusal)) }
    }

    private func giveUp(_ error: RedisError) {
      let followers = state.withLock { state in
        state.counts.dropped += state.changes.dropData()
        state.isWriting = false
        return state.changes.takeFollowers(all: true)
      }
      note(error)
      for follower in followers { follower() }
    }

    /// Removes the keys of this cache in small steps, so that the server is not blocked for other clients.
    private func removeAllKeys() throws(RedisError) {
      var cursor = "0"
      // The cursor after the last step whose number is a power of two. A server that repeats cursors repeats this one
      // within a few rounds.
      var earlier = cursor
      for step in 1...scanLimit {
        let scan = RedisCommands(
          "SCAN", .text(cursor), "MATCH", .text(keys.patternOfData), "COUNT", .number(Self.scanCount))
        guard case .array(let parts) = try pool.exchange(scan, as: .write, limit: 8 << 20)[0], parts.count == 2,
          case .bytes(let next) = parts[0], case .array(let found) = parts[1]
        else { throw .malformedReply("SCAN must return a cursor and keys") }
        // The server may return more keys than it was asked for.
        var commands = RedisCommands()
        for case .bytes(let key) in found where keys.isData(key.text) {
          commands.add("UNLINK", .text(key.text))
          if commands.count == Self.scanCount { try send(&commands) }
        }
        try send(&commands)
        cursor = next.text
        if cursor == "0" { return }
        guard cursor != earlier else { throw .malformedReply("SCAN repeats a cursor") }
        if step & (step - 1) == 0 { earlier = cursor }
      }
      throw .malformedReply("SCAN does not end")
    }

    /// Sends commands without checking their replies, and removes them.
    private func send(_ commands: inout RedisCommands) throws(RedisError) {
      guard commands.count > 0 else { return }
      _ = try pool.exchange(commands, as: .write, limit: 64 << 10 + commands.count * 512)
      commands = RedisCommands()
    }
  }
#endif
