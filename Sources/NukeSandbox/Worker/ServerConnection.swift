import CNukeSandbox
import Foundation

/// The worker's end of the socket to the server. The requests of the server are trusted.
struct ServerConnection {
  /// A request as it was received.
  struct Request {
    let kind: WorkerRequest.Kind
    let number: UInt64
    let payload: Data
    /// The descriptor of the file that was sent with the request; -1 for none. The receiver closes it.
    let file: CInt
  }

  let socket: CInt

  /// Returns the next request; `nil` if the server has closed its end or sent something else.
  func next() -> Request? {
    var file: CInt = -1
    guard let head = receive(FrameHeader.byteCount, &file),
      let header = head.withUnsafeBytes({ FrameHeader($0) }), let kind = WorkerRequest.Kind(rawValue: header.kind),
      header.length <= UInt64(WorkerRequest.payloadLimit)
    else { return nil }
    var none: CInt = -1
    guard let payload = receive(Int(header.length), &none) else { return nil }
    return Request(kind: kind, number: header.number, payload: payload, file: file)
  }

  private func receive(_ count: Int, _ file: inout CInt) -> Data? {
    var bytes = Data(count: count)
    var done = 0
    while done < count {
      var receivedFile: CInt = -1
      let received = bytes.withUnsafeMutableBytes {
        nuke_sandbox_receive(socket, $0.baseAddress! + done, count - done, &receivedFile)
      }
      if receivedFile >= 0 { file = receivedFile }
      guard received > 0 else { return nil }
      done += received
    }
    return bytes
  }

  /// Sends a reply. Exits the process if the server has closed its end.
  func send(_ reply: WorkerReply, to number: UInt64) {
    let payload = reply.payload
    write(Data(FrameHeader(kind: reply.kind.rawValue, number: number, length: payload.count).bytes))
    write(payload)
  }

  private func write(_ bytes: Data) {
    bytes.withUnsafeBytes { bytes in
      var done = 0
      while done < bytes.count {
        let written = Foundation.write(socket, bytes.baseAddress! + done, bytes.count - done)
        if written > 0 {
          done += written
        } else if errno != EINTR {
          exit(0)
        }
      }
    }
  }
}
