import Foundation

/// Python as the tests have it.
package enum PythonEnvironment {
  /// An interpreter that knows a module: that of the environment which `Scripts/setup --test` makes, or whatever
  /// `python3` there is. `nil` if none knows it.
  package static func interpreter(with module: String) -> String? {
    let root = URL(fileURLWithPath: #filePath).pathComponents.dropLast(3).joined(separator: "/").dropFirst()
    let paths = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map { "\($0)/python3" }
    return (["\(root)/.build-python/bin/python3"] + paths).first { path in
      FileManager.default.isExecutableFile(atPath: path) && knows(module, path)
    }
  }

  private static func knows(_ module: String, _ interpreter: String) -> Bool {
    let program = "import importlib.util, sys; sys.exit(0 if importlib.util.find_spec('\(module)') else 1)"
    return (try? output(of: program, by: interpreter)) != nil
  }

  /// What a program prints.
  ///
  /// - Throws: where it ends with another status than 0.
  package static func output(of program: String, by interpreter: String, _ arguments: String...) throws -> String {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: interpreter)
    process.arguments = ["-c", program] + arguments
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw CocoaError(.executableLoad) }
    return String(decoding: data, as: UTF8.self)
  }
}
