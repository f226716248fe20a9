import Foundation
import Glibc
import NukeImaging

/// A proxy on loopback that knows CONNECT alone (RFC 9110 §9.3.6), and leads every tunnel to one port of loopback.
final class TunnelProxy: Sendable {
  let port: UInt16
  /// The heads of the requests, as they came.
  var requests: [String] { heads.withLock { $0 } }

  private let listener: PlainListener
  private let heads = Lock<[String]>([])

  /// - Parameter refusal: the answer to every CONNECT, in place of a tunnel.
  init(to target: UInt16, refusal: String? = nil) throws {
    listener = try PlainListener(answer: nil)
    port = listener.port
    Thread.detachNewThread { [weak self, listener] in
      while true {
        let client = accept(listener.descriptor, nil, nil)
        guard client >= 0 else { return }
        guard let head = Self.readHead(from: client) else {
          close(client)
          continue
        }
        self?.heads.withLock { $0.append(head) }
        if let refusal {
          Self.send(Array("HTTP/1.1 \(refusal)\r\nContent-Length: 0\r\n\r\n".utf8)[...], to: client)
          close(client)
        } else {
          Self.lead(client, to: target)
        }
      }
    }
  }

  /// Takes no more clients. Tunnels end with their clients.
  func stop() { listener.stop() }

  private static func readHead(from client: CInt) -> String? {
    var head: [UInt8] = []
    var byte: UInt8 = 0
    while recv(client, &byte, 1, 0) == 1 {
      head.append(byte)
      if head.suffix(4) == [13, 10, 13, 10] { return String(decoding: head, as: UTF8.self) }
    }
    return nil
  }

  private static func lead(_ client: CInt, to port: UInt16) {
    let server = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let isConnected = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(server, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
    send(Array("HTTP/1.1 \(isConnected ? "200 Connected" : "502 Bad Gateway")\r\n\r\n".utf8)[...], to: client)
    // Each direction has a thread; the one that ends last closes both.
    let ends = CallCounter()
    for (from, to) in [(client, server), (server, client)] {
      Thread.detachNewThread {
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        while true {
          let count = recv(from, &buffer, buffer.count, 0)
          guard count > 0, send(buffer[..<count], to: to) else { break }
        }
        shutdown(to, CInt(SHUT_RDWR))
        shutdown(from, CInt(SHUT_RDWR))
        guard ends.next() == 2 else { return }
        close(client)
        close(server)
      }
    }
  }

  @discardableResult
  private static func send(_ bytes: ArraySlice<UInt8>, to socket: CInt) -> Bool {
    var bytes = bytes
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { Glibc.send(socket, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL)) }
      guard count > 0 else { return false }
      bytes = bytes.dropFirst(count)
    }
    return true
  }
}
