#if GTK
  import Foundation

  /// A command on the photo that is shown.
  enum PhotoCommand: CaseIterable, Sendable {
    case rotateClockwise, rotateCounterclockwise, copyImage, copyPath, showInFolder, trash

    var title: String {
      switch self {
      case .rotateClockwise: "Rotate clockwise"
      case .rotateCounterclockwise: "Rotate counterclockwise"
      case .copyImage: "Copy the image"
      case .copyPath: "Copy the path or address"
      case .showInFolder: "Show in its folder"
      case .trash: "Move to the trash"
      }
    }

    var keys: [String] {
      switch self {
      case .rotateClockwise: ["r"]
      case .rotateCounterclockwise: ["<Shift>r"]
      case .copyImage: ["<Control>c"]
      case .copyPath: ["<Control><Shift>c"]
      case .showInFolder: ["<Control><Shift>o"]
      case .trash: ["Delete", "KP_Delete"]
      }
    }

    /// Returns the reason why the command is impossible for an image; `nil` if it can be tried.
    func obstacle(for url: URL) -> String? {
      switch self {
      case .copyImage, .copyPath: nil
      case .showInFolder, .trash: url.isFileURL ? nil : Self.notAFile
      case .rotateClockwise, .rotateCounterclockwise:
        if !url.isFileURL {
          Self.notAFile
        } else if !Self.extensionsOfJPEG.contains(where: { url.displayName.lowercased().hasSuffix($0) }) {
          "Only JPEG photos can be rotated without a loss."
        } else {
          nil
        }
      }
    }

    static let notAFile = "This image is on the web, and has no file."
    private static let extensionsOfJPEG = [".jpeg", ".jpg"]
  }
#endif
