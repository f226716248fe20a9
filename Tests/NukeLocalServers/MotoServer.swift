import Foundation
package import NukeS3

/// `moto`, which speaks Amazon S3's protocol on loopback and keeps everything in memory. One serves all tests, and ends
/// with their process.
package final class MotoServer: Sendable {
  package static let shared = try? MotoServer()

  private static let interpreter = PythonEnvironment.interpreter(with: "moto")

  package static var isAvailable: Bool { interpreter != nil }

  package let endpoint: S3Endpoint
  private let process: Process
  /// The server ends when this is closed, as it is with our process.
  private let input = Pipe()

  private static let program = """
    import os, sys, threading
    threading.Thread(target=lambda: (sys.stdin.read(), os._exit(0)), daemon=True).start()
    import logging
    logging.disable(logging.CRITICAL)
    from moto.server import ThreadedMotoServer
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    print(server.get_host_and_port()[1], flush=True)
    threading.Event().wait()
    """

  private struct NotStarted: Error {}

  private init() throws {
    guard let interpreter = Self.interpreter else { throw NotStarted() }
    let output = Pipe()
    process = Process()
    process.executableURL = URL(fileURLWithPath: interpreter)
    process.arguments = ["-c", Self.program]
    process.standardInput = input
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    var line = Data()
    while !line.contains(0x0A) {
      let part = output.fileHandleForReading.availableData
      guard !part.isEmpty else { throw NotStarted() }
      line += part
    }
    let port = String(decoding: line, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    guard let url = URL(string: "http://127.0.0.1:\(port)") else { throw NotStarted() }
    endpoint = S3Endpoint(
      url: url, region: "us-east-1", credentials: S3Credentials(accessKey: "testing", secretKey: "testing"))
  }
}
