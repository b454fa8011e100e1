import Basics
import DatastoreCore
import DatastoreExport
import TerminalUI

/// Objects as the table shows them: its order, its columns, and what is not saved yet. Objects that are
/// to be deleted are left out, so that what is written is what a save would leave.
struct ObjectRows: Hashable, Sendable {
  /// The index of the entity.
  var entity: EntityIndex
  /// The columns from left to right.
  var columns: [TableColumn]
  /// All rows of the table.
  var list: KeyList
  /// The keys of the rows that are wanted; nil for all.
  var selection: Set<RowKey>?

  var count: Int { selection?.count ?? list.keys.count }

  /// Whether dates that are stored as numbers are among it.
  var hasDates: Bool { columns.contains { $0.format?.isDateOfNumbers ?? false } }

  /// The keys in their order: selected rows that the table does not show come last. O(rows).
  var keys: [RowKey] {
    guard let selection else { return Array(list.keys) }
    let shown = list.keys.filter { selection.contains($0) }
    return shown.count == selection.count
      ? shown : shown + selection.subtracting(shown).sorted()
  }
}

/// A file that is to be written.
struct ExportRequest: Hashable, Sendable {
  var number: Int
  var rows: ObjectRows
  var format: ExportFormat
  /// As it was typed; `~` is the home directory.
  var path: String
  /// Whether dates are written as the numbers that are stored.
  var hasStoredDates = false
  /// Where the rows were read from.
  var origins: RowOrigins
  /// Whether a file that is there may be replaced.
  var isReplacing = false
}

/// How the writing of a file goes on.
enum ExportEvent: BrowserEvent {
  /// So many rows are written.
  case progress(Int, rows: Int)
  /// There is a file already.
  case exists(ExportRequest)
  case finished(Int, ExportReport)
  /// The user ended it; nothing is there.
  case stopped(Int)
  /// Why nothing was written, as a sentence.
  case failed(Int, String)

  func apply(to state: inout BrowserState) { state.apply(self) }
}

/// What was written.
struct ExportReport: Hashable, Sendable {
  var path: String
  var rows: Int
  var bytes: Int
  /// Texts that are not UTF-8, in which � replaces some bytes.
  var replacedTexts = 0

  var description: String {
    let size = "\(CountText.counted(rows, "row")), \(BlobText.size(bytes))"
    guard replacedTexts > 0 else { return "Wrote \(size), to \(path)." }
    let texts = CountText.counted(replacedTexts, "text")
    return
      "Wrote \(size), to \(path); \(texts) not in UTF-8 have � for some bytes (SQL keeps them)."
  }
}

/// What the browser remembers about exports.
struct ExportMemory: FeatureState {
  /// The number of the last one.
  var last = 0
  /// How and where to the last one was written.
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
  /// The formats in the order of the list.
  static let listed: [ExportFormat] = [.csv, .tsv, .json, .jsonLines, .markdown, .sql, .table]

  /// What the list calls it.
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

  /// What it is good for.
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

  /// What the names of its files end with.
  var fileExtension: String {
    switch self {
    case .table: "txt"
    case .markdown: "md"
    default: rawValue
    }
  }
}
