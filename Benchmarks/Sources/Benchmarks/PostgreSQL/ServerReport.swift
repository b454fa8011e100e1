#if PostgreSQL
import Foundation

/// All runs with PostgreSQL, and the table of results as Markdown.
struct ServerReport {
  /// One measurement; seconds of the clock, and of the processor on both sides.
  struct Run {
    let seconds: Double
    let client: Double
    let server: Double
    let waits: Int

    var processor: Double { client + server }
  }

  let rows: Int
  let runs: Int
  private var figures: [ServerWork: [String: [Run]]] = [:]
  /// The share of the saves a second that eight writers lose by notifications.
  var lossOfWriters: Double?
  /// How late a controller has what another program has changed.
  var delays: ChangeBenchmarks.Delays?

  init(rows: Int, runs: Int) {
    self.rows = rows
    self.runs = runs
  }

  mutating func note(_ run: Run, of work: ServerWork, by name: String) {
    figures[work, default: [:]][name, default: []].append(run)
  }

  private func median(_ work: ServerWork, _ name: String, _ value: (Run) -> Double) -> Double? {
    guard let sorted = figures[work]?[name]?.map(value).sorted() else { return nil }
    let middle = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
  }

  private func ratio(_ work: ServerWork, _ value: (Run) -> Double) -> Double? {
    guard let library = median(work, LibraryServerContender.name, value),
      let raw = median(work, RawServerContender.name, value)
    else { return nil }
    return library / raw
  }

  var text: String {
    let day = ISO8601DateFormatter.string(
      from: Date(), timeZone: .gmt, formatOptions: [.withFullDate])
    let head = """
      # Results with PostgreSQL

      \(day), \(ProcessInfo.processInfo.activeProcessorCount) processors, \(rows) rows, medians of \(runs) interleaved \
      runs. Written by `make bench-postgresql`.

      Seconds are processor time of server and client together with libpq in its cheapest way; the ratio is that of the
      library to them. Then the same of the client alone and of the clock, and how often each waits for the server.

      | work | cheapest way | s | library | goal | | client | clock | waits | library |
      |---|---|---|---|---|---|---|---|---|---|
      """
    let lines = ServerWork.allCases.filter { figures[$0] != nil }.map { work in
      let ratio = ratio(work, \.processor)
      let waits = median(work, LibraryServerContender.name) { Double($0.waits) }
      var isMet = ratio.map { $0 <= work.goal }
      if let waits, let limit = work.waits, waits > Double(limit) { isMet = false }
      let cells = [
        work.title, work.rawWay, Self.text(median(work, RawServerContender.name, \.processor), 4),
        Self.text(ratio, 2), String(format: "%g", work.goal),
        isMet.map { $0 ? "met" : "missed" } ?? "", Self.text(self.ratio(work, \.client), 2),
        Self.text(self.ratio(work, \.seconds), 2),
        Self.text(median(work, RawServerContender.name) { Double($0.waits) }, 0),
        Self.text(waits, 0),
      ]
      return "| \(cells.joined(separator: " | ")) |"
    }
    let writers = lossOfWriters.map { loss in
      let verdict = loss <= WriterBenchmarks.goal ? "met" : "missed"
      return
        "\nEight writers at once lose \(Self.text(100 * loss, 1)) % of their saves a second by the notifications behind "
        + "their commits (goal \(Self.text(100 * WriterBenchmarks.goal, 0)) %, \(verdict))."
    }
    let changes = delays.map { delays in
      let verdict = delays.median <= ChangeBenchmarks.goal ? "met" : "missed"
      return
        "\nWhat another program has saved is in a controller \(Self.text(1_000 * delays.median, 1)) ms later, and one time in "
        + "a hundred later than \(Self.text(1_000 * delays.long, 1)) ms (goal "
        + "\(Self.text(1_000 * ChangeBenchmarks.goal, 0)) ms, \(verdict))."
    }
    return ([head] + lines + [writers, changes].compactMap(\.self)).joined(separator: "\n") + "\n"
  }

  /// The figures of a work, in one line for people who wait.
  func line(_ work: ServerWork) -> String {
    let parts = [RawServerContender.name, LibraryServerContender.name].map { name in
      let server = Self.text(median(work, name, \.server), 4)
      let client = Self.text(median(work, name, \.client), 4)
      let waits = Self.text(median(work, name) { Double($0.waits) }, 0)
      return "\(name) server \(server) client \(client) waits \(waits)"
    }
    return
      "\(work.rawValue): \(parts.joined(separator: ", ")), ratio \(Self.text(ratio(work, \.processor), 2))"
  }

  private static func text(_ value: Double?, _ places: Int) -> String {
    value.map { String(format: "%.\(places)f", $0) } ?? ""
  }
}
#endif
