import Fuzzing
import Nuke

@c(LLVMFuzzerTestOneInput)
public func readOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  withInput(bytes, count) { data in
    read(data, with: JPEGReader.self)
    rotate(data)
  }
}
