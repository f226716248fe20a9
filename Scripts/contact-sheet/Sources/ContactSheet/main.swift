import Foundation
import Nuke

// What `make` lays out: every filter and processor on one image, a PNG each.
//
//     ContactSheet SAMPLES FOLDER

guard CommandLine.arguments.count == 3 else { fatalError("ContactSheet SAMPLES FOLDER") }
let (samples, folder) = (CommandLine.arguments[1], URL(filePath: CommandLine.arguments[2]))

/// A sample at the size that Core Image's defaults are made for.
func sample(_ name: String) throws -> Bitmap {
  guard let image = Bitmap(data: try Data(contentsOf: URL(filePath: samples).appending(path: name))),
    let small = ImageProcessors.Resize(size: CGSize(width: 312, height: 208), unit: .pixels, crop: true).process(image)
  else { fatalError("\(name) cannot be read") }
  return small
}

let (lake, dusk) = (try sample("lake.jpg"), try sample("dusk.jpg"))

func write(_ image: Bitmap?, _ family: String, _ name: String) throws {
  guard let data = image?.pngData() else { fatalError("\(name) gave nothing") }
  let file = folder.appending(path: "\(family)/\(name).png")
  try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
  try data.write(to: file)
}

/// A disc of an image at one side, which shows how coverage is combined.
func disc(_ image: Bitmap, _ side: ImageProcessingOptions.Gravity) -> Bitmap {
  let pad = ImageProcessors.Pad(size: CGSize(width: 312, height: 208), unit: .pixels, gravity: side)
  guard let disc = ImageProcessors.Circle().process(image).flatMap(pad.process) else { fatalError("no memory") }
  return disc
}

for name in ImageFilters.names {
  let filter = try ImageFilters.filter(named: name)
  let isComposite = name.hasPrefix("CISource")
  let parameters = FilterParameters(filter, background: isComposite ? disc(dusk, .right) : dusk)
  let values = try ImageFilterValues(parameters.values, for: filter)
  try write(filter.apply(values, to: isComposite ? disc(lake, .left) : lake), "filters", name)
}

guard let emblem = Bitmap(data: try Data(contentsOf: URL(filePath: samples).appending(path: "badge.png"))),
  let bubbles = Bitmap(data: try Data(contentsOf: URL(filePath: samples).appending(path: "bubbles.webp")))
else { fatalError("the samples cannot be read") }
for (index, example) in processorExamples(emblem: emblem).enumerated() {
  let image = example.needsAlpha ? ImageProcessors.Resize(width: 312, unit: .pixels).process(bubbles) : lake
  // Numbered, since their order tells what belongs together.
  let name = (index < 10 ? "0" : "") + "\(index) \(example.name)"
  try write(image.flatMap(example.processor.process), "processors", name)
}
