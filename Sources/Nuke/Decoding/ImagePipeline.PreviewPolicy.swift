public import Foundation
import NukeCodecs

extension ImagePipeline {
  /// The previews that are delivered while the data of an image arrives.
  public enum PreviewPolicy: Sendable {
    /// A preview whenever more can be shown: each scan of a progressive JPEG, each pass of an interlaced PNG, and the rows
    /// so far of a baseline JPEG and of all other formats that can be read piece by piece. Rows that have not arrived are
    /// transparent.
    case incremental
    /// One preview: the thumbnail embedded in the file, or the first frame of a GIF.
    case thumbnail
    /// No previews.
    case disabled

    /// Returns the default policy: ``incremental`` for progressive JPEGs and GIFs, ``disabled`` for other formats and
    /// for data that is too short to tell.
    public static func `default`(for data: Data) -> PreviewPolicy {
      switch ImageFormat(sniffing: data) {
      case .gif: .incremental
      case .jpeg: ((try? JPEGReader.header(ofPrefix: data)) ?? nil)?.isProgressive == true ? .incremental : .disabled
      default: .disabled
      }
    }
  }
}
