import Foundation
import Glibc

/// As much of an ftp server (RFC 959, RFC 2428) as one download in passive mode takes.
final class FTPServer: Sendable {
  let port: UInt16
  private let control: PlainListener

  /// - Parameter replies: what it says in place of its usual reply, by the command; to `open`, where a client comes.
  init(body: Data = Data(), replies: [String: String] = [:]) throws {
    control = try PlainListener(answer: nil)
    port = control.port
    let data = try PlainListener(answer: nil)
    Thread.detachNewThread { [control] in
      Self.serve(accept(control.descriptor, nil, nil), data, body, replies)
    }
  }

  private static func serve(_ client: CInt, _ data: PlainListener, _ body: Data, _ replies: [String: String]) {
    defer { close(client) }
    say(replies["open"] ?? "220 ready", to: client)
    while let line = readLine(from: client) {
      let command = line.prefix { $0.isLetter }.uppercased()
      if let reply = replies[command] {
        say(reply, to: client)
        continue
      }
      switch command {
      case "USER": say("331 password", to: client)
      case "PASS": say("230 welcome", to: client)
      case "PWD": say("257 \"/\"", to: client)
      case "EPSV": say("229 passive (|||\(data.port)|)", to: client)
      case "TYPE": say("200 binary", to: client)
      case "SIZE": say("213 \(body.count)", to: client)
      case "RETR":
        say("150 here it comes", to: client)
        let receiver = accept(data.descriptor, nil, nil)
        send(Array(body), to: receiver)
        close(receiver)
        say("226 done", to: client)
      case "QUIT":
        say("221 bye", to: client)
        return
      default: say("500 unknown", to: client)
      }
    }
  }

  private static func say(_ line: String, to client: CInt) { send(Array("\(line)\r\n".utf8), to: client) }

  private static func send(_ bytes: [UInt8], to client: CInt) {
    var offset = 0
    while offset < bytes.count {
      let count = bytes.withUnsafeBytes {
        Glibc.send(client, $0.baseAddress! + offset, bytes.count - offset, CInt(MSG_NOSIGNAL))
      }
      guard count > 0 else { return }
      offset += count
    }
  }

  private static func readLine(from client: CInt) -> String? {
    var line: [UInt8] = []
    var byte: UInt8 = 0
    while recv(client, &byte, 1, 0) == 1 {
      if byte == UInt8(ascii: "\n") { return String(decoding: line, as: UTF8.self) }
      line.append(byte)
    }
    return nil
  }
}
