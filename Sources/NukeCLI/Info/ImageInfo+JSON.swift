import Foundation
import Nuke

extension ImageInfo {
  /// One object with everything there is to tell; what is not known is left out.
  func json(source: String) -> JSON {
    .members([
      "source": .string(source), "ok": .bool(true), "format": .string(header.format.rawValue),
      "width": .integer(header.pixelWidth), "height": .integer(header.pixelHeight),
      "storedWidth": .integer(header.storedWidth), "storedHeight": .integer(header.storedHeight),
      "orientation": .integer(header.orientation.rawValue), "colorModel": .string(header.colorModel.rawValue),
      "bitsPerComponent": .integer(header.bitsPerComponent), "profile": header.profileName.map(JSON.string),
      "alpha": .bool(header.hasAlpha), "progressive": .bool(header.isProgressive),
      "frames": header.frameCount.map(JSON.integer),
      "duration": header.frameCount == 1 ? nil : header.duration.map(JSON.number),
      "loops": header.frameCount == 1 ? nil : .integer(header.loopCount), "exif": header.exif?.json,
      "bytesRead": .integer(bytesRead),
    ])
  }
}

extension EXIF {
  fileprivate var json: JSON {
    .members([
      "make": make.map(JSON.string), "model": model.map(JSON.string), "lens": lensModel.map(JSON.string),
      "taken": dateTimeOriginal.map(JSON.string), "exposureTime": exposureTime.map(JSON.number),
      "fNumber": fNumber.map(JSON.number), "iso": isoSpeed.map(JSON.integer),
      "focalLength": focalLength.map(JSON.number), "location": .bool(hasLocation),
    ])
  }
}
