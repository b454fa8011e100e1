import Foundation

/// The table of results, as Markdown.
struct Report {
  let measurements: Measurements
  let rows: Int
  let runs: Int

  var text: String {
    ([header, "", speed, "", memory]).joined(separator: "\n") + "\n"
  }

  private var header: String {
    let day = ISO8601DateFormatter.string(
      from: Date(), timeZone: .gmt, formatOptions: [.withFullDate])
    let processors = ProcessInfo.processInfo.activeProcessorCount
    let memory = Int((Double(Memory.machine) / 1_073_741_824).rounded())
    return """
      # Results

      \(day), \(processors) processors, \(memory) GB of memory, \(rows) rows, medians of \(runs) \
      interleaved runs. Written by `make bench`.

      Times are those of the raw C API in seconds; the other columns are ratios to it. The last of them are those of
      the library when the same is done once more with the open file, and in processor time of all cores.
      """
  }

  private var speed: String {
    var lines = [
      "| work | \(RawContender.name) | \(RecordContender.name) | \(LibraryContender.name) | goal | | again "
        + "| processor |",
      "|---|---|---|---|---|---|---|---|",
    ]
    for work in Work.allCases {
      guard let raw = measurements.figure(work, RawContender.name) else { continue }
      let records = measurements.ratio(work, RecordContender.name)
      let library = measurements.ratio(work, LibraryContender.name)
      let again = measurements.ratioAgain(work, LibraryContender.name)
      let processor = measurements.ratioOfProcessor(work, LibraryContender.name)
      let verdict = library.map { $0 <= work.goal ? "met" : "missed" } ?? ""
      lines.append(
        "| \(work.title) | \(Self.seconds(raw.median)) | \(Self.ratio(records)) "
          + "| \(Self.ratio(library)) | \(work.goal.formatted) | \(verdict) | \(Self.ratio(again)) "
          + "| \(Self.ratio(processor)) |")
    }
    return lines.joined(separator: "\n")
  }

  private var memory: String {
    var lines = ["| memory | figure | goal |", "|---|---|---|"]
    for (name, bytes) in measurements.bytesPerObject.sorted(by: { $0.key < $1.key }) {
      let goal = name == LibraryContender.name ? "180" : ""
      lines.append("| bytes of a fetched object, \(name) | \(Int(bytes.rounded())) | \(goal) |")
    }
    if let bytes = measurements.controllerBytesPerRow {
      lines.append("| bytes of a controller a row | \(Self.ratio(bytes)) | 9 |")
    }
    lines += ["", "| peak memory over the start, MB | raw | GRDB | library |", "|---|---|---|---|"]
    let names = [RawContender.name, RecordContender.name, LibraryContender.name]
    for work in Work.allCases where measurements.figure(work, RawContender.name) != nil {
      let peaks = names.map { name in
        measurements.figure(work, name).map { String($0.peak / 1_000_000) } ?? ""
      }
      lines.append("| \(work.title) | \(peaks.joined(separator: " | ")) |")
    }
    return lines.joined(separator: "\n")
  }

  private static func ratio(_ ratio: Double?) -> String {
    ratio.map { String(format: "%.2f", $0) } ?? ""
  }

  private static func seconds(_ seconds: Double) -> String {
    String(format: seconds < 0.01 ? "%.6f" : "%.3f", seconds)
  }
}

extension Double {
  fileprivate var formatted: String { String(format: "%g", self) }
}
