import Fuzzing
import Nuke

@c(LLVMFuzzerTestOneInput)
public func readOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  withInput(bytes, count) { read($0, with: AVIFReader.self) }
}
