public import Foundation
import NukeCodecs

extension ImagePipeline {
  /// What is shown of a picture while its data is coming.
  public enum PreviewPolicy: Sendable {
    /// Each better version that the data allows.
    case incremental
    /// The small picture that a camera embedded, if there is one, and nothing more until the end.
    case thumbnail
    /// Nothing until the end.
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
