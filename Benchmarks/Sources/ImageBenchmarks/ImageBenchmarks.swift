import CodecLoops
import Foundation
import Measuring

// ImageBenchmarks CORPUS [NAME]         a table of the rows whose name contains NAME, ours and then the bare libraries'
// ImageBenchmarks CORPUS --serve        runs what standard input names; see README.md
// ImageBenchmarks CORPUS --serve-bare   the same with the bare libraries

@main
struct ImageBenchmarks {
  static func main() async {
    let arguments = CommandLine.arguments.dropFirst()
    guard let folder = arguments.first else {
      print("usage: ImageBenchmarks CORPUS [NAME | --serve | --serve-bare]")
      exit(2)
    }
    let corpus = Corpus(folder: URL(filePath: folder))
    switch arguments.dropFirst().first {
    case "--serve": await serve(ownRows(corpus), program: "Nuke", version: "")
    case "--serve-bare": await serve(bareRows(corpus), program: "bare C", version: String(cString: loop_versions()))
    case let name: await show(ownRows(corpus), bareRows(corpus), name: name ?? "")
    }
  }

  private static func show(_ own: [Row], _ bare: [Row], name: String) async {
    print(Sample.head)
    for (prefix, rows) in [("", own), ("bare C: ", bare)] {
      for row in rows where row.name.contains(name) {
        let body = row.prepare()
        print(await measure(prefix + row.name, operations: 1, repetitions: 11) { await body() }.line)
        fflush(nil)
      }
    }
  }

  /// Prints the program, its version and its rows as a line of JSON. Then, for each line of standard input with a
  /// number of runs and the name of a row, runs the row. Prints the CPU time of one run in milliseconds, the growth of
  /// the peak memory in kilobytes, and the number of bytes of the resulting pixels or file.
  private static func serve(_ rows: [Row], program: String, version: String) async {
    write(["program": program, "version": version, "rows": rows.map(\.name)])
    var prepared: [String: @Sendable () async -> Int] = [:]
    while let line = readLine() {
      let parts = line.split(separator: " ", maxSplits: 1)
      guard parts.count == 2, let count = Int(parts[0]), count > 0,
        let row = rows.first(where: { $0.name == parts[1] })
      else { fatalError("there is no row \(line)") }
      let body = prepared[row.name] ?? row.prepare()
      prepared[row.name] = body
      let memory = peakMemory()
      let start = processorTime()
      var result = 0
      for _ in 0..<count {
        result = await body()
        keep(result)
      }
      let time = (processorTime() - start) / Double(count)
      write(["ms": time * 1000, "kilobytes": peakMemory() - memory, "bytes": result])
    }
  }

  private static func write(_ object: [String: Any]) {
    let data = try! JSONSerialization.data(withJSONObject: object, options: .sortedKeys)
    print(String(decoding: data, as: UTF8.self))
    fflush(nil)
  }

  private static func peakMemory() -> Int {
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    return usage.ru_maxrss
  }
}
