import Foundation
import NukeImaging
import Testing

@testable import NukeS3

/// `moto`, which speaks Amazon S3's protocol on loopback and keeps everything in memory. One serves all tests, and ends
/// with their process.
final class MotoServer: Sendable {
  static let shared = try? MotoServer()

  /// Where `Scripts/setup --test` puts it, then whatever `python3` has.
  private static let interpreter: String? = {
    let root = URL(fileURLWithPath: #filePath).pathComponents.dropLast(4).joined(separator: "/").dropFirst()
    let paths = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map { "\($0)/python3" }
    return (["\(root)/.build-python/bin/python3"] + paths).first { path in
      FileManager.default.isExecutableFile(atPath: path) && knowsMoto(path)
    }
  }()

  static var isAvailable: Bool { interpreter != nil }

  let endpoint: S3Endpoint
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

  private static func knowsMoto(_ interpreter: String) -> Bool {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: interpreter)
    process.arguments = ["-c", "import importlib.util, sys; sys.exit(0 if importlib.util.find_spec('moto') else 1)"]
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }
}
