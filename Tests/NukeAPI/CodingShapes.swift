import Foundation
import Nuke

struct OwnDecoder: ImageDecoding {
  var isAsynchronous: Bool { false }
  func decode(_ data: Data) throws -> ImageContainer { ImageContainer(image: PlatformImage(), type: .png, data: data) }
  func decodePartiallyDownloadedData(_ data: Data) -> ImageContainer? { nil }
}

func registerDecoders() {
  let token: ImageDecoderRegistry.RegistrationToken = ImageDecoderRegistry.shared.register { context in
    guard context.isCompleted, context.request.url != nil, context.urlResponse?.mimeType == "image/own" else {
      return nil
    }
    return context.previewPolicy == .disabled ? nil : OwnDecoder()
  }
  ImageDecoderRegistry.shared.unregister(token)
  let registry = ImageDecoderRegistry()
  registry.clear()
  _ = registry.decoder(for: ImageDecodingContext(request: ImageRequest(url: address), data: Data()))
  _ = try? ImageDecoders.Default().decode(Data())
  _ = ImageDecoders.Empty(assetType: .mp4)
  _ = ImageDecoders.Empty(assetType: .mp4, isProgressive: true).decodePartiallyDownloadedData(Data())
  registry.register(ImageDecoders.Default.init(context:))
}

func describe(error: ImageDecodingError) -> String {
  switch error {
  case .unknown: "unknown"
  }
}

func makeThumbnails(data: Data, side: CGFloat) -> [PlatformImage?] {
  [
    ImageRequest.ThumbnailOptions(maxPixelSize: side).makeThumbnail(with: data),
    ImageRequest.ThumbnailOptions(maxPixelSize: 400).makeThumbnail(with: data),
    ImageRequest.ThumbnailOptions(maxPixelSize: Float(side)).makeThumbnail(with: data),
  ]
}

func sniff(data: Data) {
  let types: [AssetType] = [
    .png, .jpeg, .gif, .webp, .heic, .avif, .jxl, .tiff, .bmp, .ico, .svg, .jpeg2000, .mp4, .m4v, .mov,
  ]
  let own: AssetType = "test.own"
  print(types, own.rawValue, AssetType(data) as Any, AssetType(rawValue: "public.png") == .png, own.isVideo)
}

struct OwnEncoder: ImageEncoding {
  func encode(_ image: PlatformImage) -> Data? { nil }
}

func encode(image: PlatformImage, container: ImageContainer) {
  let context = ImageEncodingContext(request: ImageRequest(url: address), image: image, urlResponse: nil)
  var standard = ImageEncoders.Default(compressionQuality: 0.9)
  standard.isHEIFPreferred = true
  let encoders: [any ImageEncoding] = [
    standard, ImageEncoders.Default(), ImageEncoders.ImageIO(type: .webp, compressionRatio: 0.7), OwnEncoder(),
    .default(), .default(compressionQuality: 0.7), .imageIO(type: .png), .imageIO(type: .jpeg, compressionRatio: 0.7),
  ]
  for encoder in encoders { print(encoder.encode(image) as Any, encoder.encode(container, context: context) as Any) }
  print(ImageEncoders.ImageIO.isSupported(type: .heic))
}

func describe(container: ImageContainer) throws {
  var container = container
  container.userInfo["mine"] = 1
  container = container.map { $0.withScale(2) }
  print(container.image.size, container.type as Any, container.isPreview, container.data as Any)
}

func usePlatformTypes(data: Data) {
  let empty = PlatformImage()
  let read = PlatformImage(data: data)
  print(empty.size.width, empty.scale, read as Any, PlatformColor.red.withAlphaComponent(0.5))
  print(empty == read, Set([empty]).count)
  let colors: [PlatformColor] = [
    .black, .darkGray, .lightGray, .white, .gray, .red, .green, .blue, .cyan, .yellow, .magenta, .orange, .purple,
    .brown,
    .clear,
  ]
  print(colors)
}
