import Basics
import DatastoreCore
import DatastoreExport
import TerminalUI

/// The rows of a table in its order, with its columns and unsaved changes. Objects to be deleted are left
/// out, so that the export has the rows that a save would leave.
struct ObjectRows: Hashable, Sendable {
  var entity: EntityIndex
  /// The columns from left to right.
  var columns: [TableColumn]
  /// All rows of the table.
  var list: KeyList
  /// The keys of the selected rows; nil for all.
  var selection: Set<RowKey>?

  var count: Int { selection?.count ?? list.keys.count }

  /// Whether any column has dates that are stored as numbers.
  var hasDates: Bool { columns.contains { $0.format?.isDateOfNumbers ?? false } }

  /// The keys in order; selected rows outside the table come last. O(rows).
  var keys: [RowKey] {
    guard let selection else { return Array(list.keys) }
    let shown = list.keys.filter { selection.contains($0) }
    return shown.count == selection.count
      ? shown : shown + selection.subtracting(shown).sorted()
  }
}

struct ExportRequest: Hashable, Sendable {
  var number: Int
  var rows: ObjectRows
  var format: ExportFormat
  /// The path as the user typed it; `~` is the home directory.
  var path: String
  /// Whether dates are written as the stored numbers.
  var hasStoredDates = false
  /// The files that the rows were read from.
  var origins: RowOrigins
  /// Whether an existing file may be replaced.
  var isReplacing = false
}

enum ExportEvent: BrowserEvent {
  /// The number of rows written so far.
  case progress(Int, rows: Int)
  case exists(ExportRequest)
  case finished(Int, ExportReport)
  /// The user stopped the export; no file is left.
  case stopped(Int)
  /// Why the export failed, as a sentence.
  case failed(Int, String)

  func apply(to state: inout BrowserState) { state.apply(self) }
}

/// The result of an export.
struct ExportReport: Hashable, Sendable {
  var path: String
  var rows: Int
  var bytes: Int
  /// The number of texts that are not UTF-8, in which � replaces some bytes.
  var replacedTexts = 0

  var description: String {
    let size = "\(CountText.counted(rows, "row")), \(CountText.bytes(bytes))"
    guard replacedTexts > 0 else { return "Wrote \(size), to \(path)." }
    let texts = CountText.counted(replacedTexts, "text")
    return
      "Wrote \(size), to \(path); \(texts) not in UTF-8 have � for some bytes (SQL keeps them)."
  }
}

/// The settings of the last export.
struct ExportMemory: FeatureState {
  /// The number of the last export.
  var last = 0
  /// The format and the folder of the last export.
  var format = ExportFormat.csv
  var folder = ""
  var hasStoredDates = false
}

extension BrowserState {
  var exporting: ExportMemory {
    get { self[ExportMemory.self] }
    _modify { yield &self[ExportMemory.self] }
  }
}

extension ExportFormat {
  /// The formats in the order of the list: those that programs read come first.
  static let listed = allCases.filter { $0 != .table } + [.table]

  /// The title of the format in the list.
  var title: String {
    switch self {
    case .csv: "CSV"
    case .tsv: "TSV"
    case .json: "JSON"
    case .jsonLines: "JSON lines"
    case .markdown: "Markdown"
    case .sql: "SQL"
    case .table: "Text"
    }
  }

  /// A description of the format.
  var note: String {
    switch self {
    case .csv: "fields separated by commas, with a header line"
    case .tsv: "fields separated by tabs, with a header line"
    case .json: "an array of objects"
    case .jsonLines: "one object a line"
    case .markdown: "a table of GitHub Flavored Markdown"
    case .sql: "INSERT statements in a transaction"
    case .table: "columns of aligned text"
    }
  }

  var fileExtension: String { fileExtensions[0] }
}
