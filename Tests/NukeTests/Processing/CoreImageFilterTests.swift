import Foundation
import Nuke
import NukeTesting
import Testing

@Suite("CoreImageFilter")
struct CoreImageFilterTests {
  typealias Filter = ImageProcessors.CoreImageFilter
  typealias Composition = ImageProcessors.Composition

  private let image = SampleImage.bitmap(width: 40, height: 20, scale: 2)

  private func error(of processor: any ImageProcessing) -> String { processor.error(image) }

  @Test("A name alone runs the filter with its defaults")
  func defaults() throws {
    let result = try #require(Filter(name: "CIColorInvert").process(image))
    #expect(result.scale == 2 && result.isOpaque)
    let inverted = result.pixels
    for (place, original) in image.pixels.enumerated() where place % 4 != 3 {
      #expect(inverted[place] == 255 - original)
    }
  }

  @Test("Parameters are read when the processor is created")
  func parameters() throws {
    let filter = Filter(name: "CIColorControls", parameters: ["inputSaturation": 0], identifier: "gray")
    let pixels = try #require(filter.process(image)).pixels
    for i in stride(from: 0, to: pixels.count, by: 4) {
      #expect(pixels[i] == pixels[i + 1] && pixels[i] == pixels[i + 2])
    }
    func isSendable(_: some Sendable) {}
    isSendable(filter)
  }

  @Test("An invalid name or parameter is an error when an image is processed")
  func errors() {
    #expect(error(of: Filter(name: "CISepia")) == "there is no filter named CISepia")
    #expect(
      error(of: Filter(name: "CISepiaTome")) == "there is no filter named CISepiaTome; did you mean CISepiaTone?")
    #expect(
      error(of: Filter(name: "CISepiaTone", parameters: ["inputIntensities": 1], identifier: ""))
        == "CISepiaTone has no key inputIntensities; did you mean inputIntensity?")
    #expect(
      error(of: Filter(name: "CISepiaTone", parameters: ["inputIntensity": "1"], identifier: ""))
        == "inputIntensity of CISepiaTone must be a finite number")
    #expect(Filter(name: "CISepiaTome").process(image) == nil)
  }

  @Test("The error of a filter that cannot be created has its name, the parameters, and the reason")
  func creationError() throws {
    func error(_ filter: Filter) throws -> Filter.Error? {
      let request = ImageRequest(url: nil)
      let response = ImageResponse(container: ImageContainer(image: image), request: request)
      let context = ImageProcessingContext(request: request, response: response, isCompleted: true)
      do {
        _ = try filter.process(response.container, context: context)
        return nil
      } catch let error as Filter.Error {
        return error
      }
    }
    let wrong = Filter(name: "CISepiaTone", parameters: ["inputIntensity": "1"], identifier: "")
    guard case .failedToCreateFilter(let name, let parameters)? = try error(wrong) else { throw Unexpected("no error") }
    #expect(name == "CISepiaTone")
    #expect("\(parameters)" == "[\"inputIntensity\": 1]")
    #expect(
      parameters.reason
        == .invalidParameter(key: "inputIntensity", filter: "CISepiaTone", expected: "a finite number"))
    guard case .failedToCreateFilter("CISepia", let none)? = try error(Filter(name: "CISepia")) else {
      throw Unexpected("no error")
    }
    #expect("\(none)" == "[:]")
    #expect(none.reason == .unknownFilter(name: "CISepia", similar: []))
  }

  @Test("An unknown filter fails the request, with a similar name")
  func failedRequest() async throws {
    let request = ImageRequest(
      id: "image", image: { [image] in ImageContainer(image: image) },
      processors: [.coreImageFilter(name: "CIGausianBlur")])
    let pipeline = ImagePipeline { $0.imageCache = nil }
    let error = await loadFailure(try await pipeline.image(for: request))
    guard case .processingFailed(let processor, _, let reason)? = error else { throw Unexpected(error) }
    #expect(processor is Filter)
    #expect("\(reason)".hasSuffix("did you mean CIGaussianBlur?"))
  }

  @Test("The identifier is the name, or a custom one")
  func identifiers() {
    #expect(Filter(name: "CISepiaTone").identifier == "org.nuke.core_image?name=CISepiaTone")
    #expect(Filter(name: "CISepiaTone", parameters: [:], identifier: "mine").identifier == "mine")
    #expect(Filter(name: "CISepiaTone").hashableIdentifier == Filter(name: "CISepiaTone").hashableIdentifier)
    #expect(
      "\(Filter(name: "CISepiaTone", parameters: [:], identifier: "mine"))"
        == "CoreImageFilter(name: CISepiaTone, parameters: [:])")
    #expect(
      "\(Filter(name: "CISepiaTone", parameters: ["inputIntensity": 0.5], identifier: "mine"))"
        == "CoreImageFilter(name: CISepiaTone, parameters: [\"inputIntensity\": 0.5])")
  }

  @Test("There is a short form")
  func factories() {
    let processors: [any ImageProcessing] = [
      .coreImageFilter(name: "CISepiaTone"),
      .coreImageFilter(name: "CISepiaTone", parameters: ["inputIntensity": 0.5], identifier: "half"),
    ]
    #expect(processors.map(\.identifier) == ["org.nuke.core_image?name=CISepiaTone", "half"])
  }

  @Test("Adjacent color filters in a composition run in one pass, without rounding in between")
  func fusion() throws {
    // So dark that 8 bits keep six levels, then back.
    let dark = Filter(name: "CIColorMatrix", parameters: scaled(by: 0.02), identifier: "dark")
    let bright = Filter(name: "CIColorMatrix", parameters: scaled(by: 50), identifier: "bright")
    let fused = try #require(Composition([dark, bright]).process(image)).pixels
    #expect(zip(fused, image.pixels).allSatisfy { abs(Int($0) - Int($1)) <= 1 })
    let thrown = try Composition([dark, bright]).processed(image).pixels
    #expect(thrown == fused)
    let apart = try #require(dark.process(image).flatMap(bright.process)).pixels
    #expect(zip(apart, image.pixels).contains { abs(Int($0) - Int($1)) > 8 })
    // What looks at more than one pixel, or is unknown, stands between two passes.
    let between = ImageProcessors.Anonymous(id: "between") { $0 }
    #expect(Composition([dark, between, bright]).process(image)?.pixels == apart)
    let blur = Filter(name: "CIBoxBlur", parameters: ["inputRadius": 0], identifier: "none")
    #expect(Composition([dark, blur, bright]).process(image)?.pixels == apart)
  }

  @Test("A composition of one filter equals the filter, and an invalid one fails")
  func composed() throws {
    let sepia = Filter(name: "CISepiaTone")
    #expect(Composition([sepia]).process(image)?.pixels == sepia.process(image)?.pixels)
    #expect(Composition([sepia, Filter(name: "CISepiaTome")]).process(image) == nil)
    #expect(error(of: Composition([Filter(name: "CISepiaTome"), sepia])).hasPrefix("there is no filter"))
    #expect(Composition([sepia, sepia]).process(PlatformImage()) == nil)
  }

  private func scaled(by factor: Double) -> [String: Any] {
    ["inputRVector": [factor, 0, 0, 0], "inputGVector": [0, factor, 0, 0], "inputBVector": [0, 0, factor, 0]]
  }
}
