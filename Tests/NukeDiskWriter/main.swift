import Foundation
import Nuke

// NukeDiskWriter PATH SEED LIMIT [FILE-LIMIT]
//
// Writes to the cache in the folder PATH until it is killed, and says on standard output what it has flushed: a line
// `key version` for each. With FILE-LIMIT, bytes that a file may have (RLIMIT_FSIZE), it stores a small body and one that
// is larger, says what it can read back, and ends.
//
// NukeDiskWriter load PATH URL COUNT TIMEOUT
//
// Loads the images URL/0, URL/1 ... with the folder PATH, waits TIMEOUT seconds at most for others that load the same,
// and says `started`, `waits` when it first does, `processed` for each image it processes, and `loaded WIDTH ORIGIN`
// for each in the end.
//
// NukeDiskWriter fetch PATH URL SEED
//
// Loads some of URL/0 to URL/29 again and again until it is killed, with an HTTP cache in the folder PATH, and says
// `key version` for each, the version -1 where what it got is not a body of that key.

let arguments = CommandLine.arguments
if arguments.dropFirst().first == "load", let loading = SharedLoading(arguments.dropFirst(2)) {
  try await loading.run()
  exit(0)
}
if arguments.dropFirst().first == "fetch", let fetching = SharedFetching(arguments.dropFirst(2)) {
  try await fetching.run()
}
guard arguments.count >= 4, let seed = UInt64(arguments[2]), let limit = Int(arguments[3]) else {
  FileHandle.standardError.write(
    Data(
      "usage: NukeDiskWriter PATH SEED LIMIT [FILE-LIMIT] | load PATH URL COUNT TIMEOUT | fetch PATH URL SEED\n".utf8))
  exit(2)
}
let cache = try DataCache(path: URL(fileURLWithPath: arguments[1], isDirectory: true))
cache.sizeLimit = limit

if arguments.count > 4, let fileLimit = UInt(arguments[4]) {
  cache.flush()
  var limits = rlimit(rlim_cur: fileLimit, rlim_max: fileLimit)
  setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limits)
  cache["small"] = Data(count: Int(fileLimit) / 2)
  cache["large"] = Data(count: Int(fileLimit) + 1)
  cache.flush()
  let found = [cache["small"]?.count ?? -1, cache["large"]?.count ?? -1, cache.totalCount]
  print(found.map(String.init).joined(separator: " "))
  exit(0)
}

struct Random {
  var state: UInt64

  mutating func next(_ bound: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(state >> 33) % bound
  }
}

var random = Random(state: seed)
var versions: [Int: Int] = [:]
while true {
  var written: [Int] = []
  for _ in 0...random.next(8) {
    let key = random.next(60)
    let version = (versions[key] ?? 0) + 1
    versions[key] = version
    written.append(key)
    cache["\(key)"] = WrittenBody.make(
      key: key, version: version, length: 1 + random.next(random.next(4) == 0 ? 200_000 : 6000))
  }
  cache.flush()
  var lines = ""
  for key in written { lines += "\(key) \(versions[key]!)\n" }
  FileHandle.standardOutput.write(Data(lines.utf8))
}
