import DatastoreCore
import DatastoreExport
import DatastoreImport
import Foundation
import TerminalUI

/// The content detected in the files of a load: columns with their types, and the first records.
struct LoadPreview {
  private static let recordCount = 5

  private let plan: LoadPlan

  init(_ plan: LoadPlan) {
    self.plan = plan
  }

  /// Writes a table for each file on standard output. Leaves out input that can be read only once, and files
  /// that only link objects.
  ///
  /// - Throws: `ImportError`, `SchemaError`, `ExportError`.
  func write() throws {
    try OutputPlace(path: nil).write { stream in
      for source in plan.sources {
        guard case .entity(let content) = source.content, !source.input.isReadOnce else {
          continue
        }
        let found = try LoadPlan(sources: [source]).inferredSchema { _ in }.schema
        var reader = try source.makeReader()
        let (records, malformed) = try Self.firstRecords(&reader)
        stream.write("\(source.name.withoutTerminalControls)\n")
        for finding in reader.findings.map(\.description) + malformed {
          stream.write("  \(finding.withoutTerminalControls)\n")
        }
        var columns: [(name: String, title: String)] = []
        let entity = found.entity(named: content.entity)
        if let csv = reader as? CSVReader { columns = csv.columns.map { ($0, $0) } }
        for field in records.flatMap(\.fields)
        where !columns.contains(where: { $0.name == field.name }) {
          columns.append((field.name, field.name))
        }
        for index in columns.indices {
          let name = columns[index].name
          let slot = entity?.slot(named: content.property(of: name))
          let type = slot.flatMap { entity?.properties[$0].attribute?.type }
          if let type { columns[index].title = "\(name): \(type.word)" }
        }
        try Self.write(records, columns, to: stream)
      }
    }
  }

  /// The first readable records, and a line about malformed ones among them.
  private static func firstRecords(
    _ reader: inout any RecordReader
  ) throws -> (records: [ImportRecord], malformed: [String]) {
    var records: [ImportRecord] = []
    var first: String?
    var count = 0
    while records.count < recordCount {
      do {
        guard let record = try reader.next() else { break }
        records.append(record)
      } catch ImportError.malformed(let position, let reason) {
        count += 1
        first = first ?? "line \(position.line): \(reason)"
      }
    }
    return (
      records,
      first.map { [count == 1 ? "malformed: \($0)" : "malformed: \(count) records; \($0)"] } ?? []
    )
  }

  private static func write(
    _ records: [ImportRecord], _ columns: [(name: String, title: String)],
    to stream: ExportOutput
  ) throws {
    var options = ExportOptions()
    options.glyphs = LocaleName().isUnicode ? .unicode : .ascii
    options.isForTerminal = true
    var writer = ExportFormat.table.makeWriter(
      columns.map { ExportColumn(name: $0.title, type: .string) }, options: options, to: stream)
    try writer.begin()
    for record in records {
      let page = RowPage(columnCount: columns.count, rowCapacity: 1)
      page.appendRow(key: 0)
      for (place, column) in columns.enumerated() {
        guard let text = (record[column.name] ?? .null).text else { continue }
        page.setValue(.text(text), row: 0, column: place)
      }
      page.seal()
      try writer.write(page, row: 0)
    }
    try writer.end()
  }
}
