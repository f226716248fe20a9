public import Foundation
import NukeCodecs

extension ImagePipeline {
  /// What is shown of an image while its data is coming.
  public enum PreviewPolicy: Sendable {
    /// A preview whenever more can be shown: each scan of a progressive JPEG, each pass of an interlaced PNG, and the rows
    /// so far of a baseline JPEG and of all other formats that can be read piece by piece. Rows that have not arrived are
    /// transparent.
    case incremental
    /// One preview: the thumbnail embedded in the file, or the first frame of a GIF.
    case thumbnail
    /// No previews.
    case disabled

    /// What is done unless a delegate says otherwise: ``incremental`` for progressive JPEGs and for GIFs, ``disabled``
    /// for the rest, and for data of which too little has come to tell.
    public static func `default`(for data: Data) -> PreviewPolicy {
      switch ImageFormat(sniffing: data) {
      case .gif: .incremental
      case .jpeg: ((try? JPEGReader.header(ofPrefix: data)) ?? nil)?.isProgressive == true ? .incremental : .disabled
      default: .disabled
      }
    }
  }
}
