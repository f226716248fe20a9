import Foundation
import Nuke
import NukeTesting

/// Images of growing width behind a gate each, and a pipeline that loads them.
struct Qualities {
  let loader = FakeDataLoader()
  let pipeline: ImagePipeline
  let requests: [ImageRequest]
  let gates: [Gate]

  init(count: Int = 2, _ configure: (inout ImagePipeline.Configuration) -> Void = { _ in }) {
    pipeline = .fake(loader: loader, configure)
    requests = (1...count).map { ImageRequest(url: imageURL("\($0).png")) }
    gates = requests.map { _ in Gate() }
    for number in 1...count {
      answer(number, with: .data(SampleImage.png(width: number, height: 1)).held(by: gates[number - 1]))
    }
  }

  /// Changes what the loader says of the image of some width.
  func answer(_ number: Int, with answer: FakeDataLoader.Answer) {
    loader.answer(imageURL("\(number).png"), with: answer)
  }

  func keep(_ number: Int) {
    pipeline.cache[requests[number - 1]] = ImageContainer(image: SampleImage.bitmap(width: number, height: 1))
  }

  func openAll() { for gate in gates { gate.open() } }
}

/// A failure of a loader that will not pass by itself.
struct Refusal: Error, Equatable {
  var number = 0
}
