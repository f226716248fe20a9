#if GTK
  import Foundation
  import Nuke

  /// The reason why a command on a photo had no effect. The photo is unchanged.
  enum PhotoFailure: Error, Equatable, CustomStringConvertible {
    case notJPEG(name: String)
    case damaged(name: String, CodecError)
    case tooLarge(name: String, byteCount: Int)
    case missing(name: String)
    case readOnly(name: String)
    case readOnlyFolder(name: String)
    case changed(name: String)
    case system(name: String, code: CInt)
    case trash(name: String, reason: String)
    case launch(application: String, reason: String)

    var description: String {
      switch self {
      case .notJPEG(let name): "“\(name)” is not a JPEG. Only JPEG photos can be rotated without a loss."
      case .damaged(let name, let error): "“\(name)” was not rotated: \(error)."
      case .tooLarge(let name, let byteCount):
        "“\(name)” was not rotated: it has \(byteCount.megabytes), more than the \(PhotoRotation.limit.megabytes) allowed."
      case .missing(let name): "“\(name)” does not exist any longer."
      case .readOnly(let name): "“\(name)” was not rotated: the file is write-protected."
      case .readOnlyFolder(let name): "“\(name)” was not rotated: you may not create files in its folder."
      case .changed(let name): "“\(name)” was not rotated: another program changed it in the meantime. Try again."
      case .system(let name, ENOSPC), .system(let name, EDQUOT): "“\(name)” was not rotated: the disk is full."
      case .system(let name, let code): "“\(name)” was not rotated: \(String(cString: strerror(code)))."
      case .trash(let name, let reason): "“\(name)” was not moved to the trash: \(reason)"
      case .launch(let application, let reason): "\(application) could not be started: \(reason)"
      }
    }
  }
#endif
