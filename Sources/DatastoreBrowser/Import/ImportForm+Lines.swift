import Basics
import DatastoreCore
import DatastoreImport
import TerminalUI

/// The lines of the form, and the choices for each.
extension ImportForm {
  enum Line: Hashable, Sendable {
    case part, target, tableName, format, delimiter, header, encoding, decimal, missing, dates
    case array
    case skippedLines, comment
    case flattens, key
    case column(Int)
    case start
  }

  var lines: [Line] {
    var lines: [Line] = tables.count > 1 ? [.part, .target] : [.target]
    if case .newTable = target { lines.append(.tableName) }
    if preview?.isOfKnownForm ?? false {
      lines += [.header, .missing, .skippedLines]
    } else {
      lines.append(.format)
      if found.format == .csv || found.format == nil { lines += [.delimiter, .header] }
      lines.append(.encoding)
      if found.format == .csv { lines += [.decimal, .missing, .skippedLines, .comment] }
    }
    if preview?.hasOpenDates ?? false { lines.append(.dates) }
    if !arrays.isEmpty { lines.append(.array) }
    if found.format == .json || found.format == .jsonLines { lines.append(.flattens) }
    lines.append(.key)
    lines += (preview?.columns.indices ?? 0..<0).map(Line.column)
    return lines + [.start]
  }

  var currentLine: Line { lines[min(scroll.cursor, lines.count - 1)] }

  func lineCount(in state: BrowserState) -> Int { lines.count }

  func body(in state: BrowserState) -> Rectangle { Self.body(in: state.size) }

  func takes(clicks: Int, column: Int, in state: BrowserState) -> Bool {
    clicks == 2 || currentLine == .start
  }

  func accept(_ state: inout BrowserState) {
    if naming != nil { return state.acceptImportName() }
    state.change(Self.self) { $0.pick(in: &$1) }
  }

  func dismiss(_ state: inout BrowserState) {
    guard naming != nil else { return state.closeOverlay() }
    state.changeOverlay(as: Self.self) { $0.cancelNaming() }
  }

  func toggle(_ state: inout BrowserState) { state.toggleImportColumn() }

  mutating func pick(in state: inout BrowserState) {
    guard naming == nil else { return }
    if currentLine == .tableName {
      beginNaming()
      return
    }
    state.changeImportLine()
  }

  /// The name and the value of a line.
  func text(of line: Line, in schema: Schema) -> (name: String, value: String) {
    switch line {
    case .part: ("Part", "\(partName(table)), one of \(CountText.grouped(tables.count))")
    case .target:
      switch target {
      case .entity(let index): ("Into", schema.entities[index].name)
      case .newTable: ("Into", "a new table")
      }
    case .tableName: ("Table", naming?.text ?? targetName(in: schema))
    case .format: ("Format", Self.name(of: found.format, delimiter: found.csv.delimiter))
    case .delimiter: ("Delimiter", Self.name(of: found.csv.delimiter))
    case .header: ("Header row", found.csv.header == .absent ? "no" : "yes")
    case .encoding: ("Encoding", found.encoding?.title ?? "")
    case .decimal: ("Decimals", found.csv.decimalMark.map { Self.name(of: $0) } ?? "")
    case .missing:
      ("No value is", finding(for: line)?.value ?? Self.name(of: found.csv.missing))
    case .skippedLines: ("Skip", Self.name(ofSkipped: found.csv.skippedLines))
    case .comment: ("Remarks", Self.name(ofComment: found.csv.comment))
    case .dates: ("1/2/2024 is", Self.name(of: found.dates))
    case .array: ("Array", found.json.path.joined(separator: "."))
    case .flattens: ("Nested", Self.name(flattens: found.json.flattens))
    case .key:
      (
        "Key",
        key.map { "\($0): rows with the same value are updated, others are new" }
          ?? "none: every record is a new row"
      )
    case .column(let index): (preview?.columns[index].name ?? "", "")
    case .start: ("", "[ Import ]")
    }
  }

  /// The name of a sheet, or of a member of an archive.
  private func partName(_ table: Int) -> String {
    String(tables[table].name.dropFirst(PathCompletion.expanded(path).count + 1))
  }

  static func name(of format: FileFormat?, delimiter: UInt8?) -> String {
    switch format {
    case .csv: delimiter == UInt8(ascii: "\t") ? "TSV" : "CSV"
    case .json: "JSON"
    case .jsonLines: "JSON Lines"
    case nil: ""
    }
  }

  static func name(of delimiter: UInt8?) -> String {
    delimiter.map(CSVReader.name(ofDelimiter:)) ?? ""
  }

  /// The arrays of a JSON document that can be imported.
  private var arrays: [String] {
    let path = found.json.path.joined(separator: ".")
    let others = preview?.arrays.filter { $0 != path } ?? []
    return path.isEmpty ? others : [path] + others
  }

  /// The reason for a detected value; nil if the user has chosen the value.
  func reason(of line: Line) -> String? { finding(for: line)?.reason }

  private func finding(for line: Line) -> ReadingFinding? {
    let subject: ReadingFinding.Subject? =
      switch line {
      case .delimiter: .delimiter
      case .header: .header
      case .encoding: .encoding
      case .decimal: .decimals
      case .missing: .missing
      default: nil
      }
    return preview?.findings.first { $0.subject == subject }
  }

  static func name(of missing: Set<String>?) -> String {
    guard let missing else { return "nothing; NA, NULL and the like among numbers and dates" }
    return missing.sorted().map { $0.isEmpty ? "nothing" : $0 }.joined(separator: ", ")
  }

  static func name(ofSkipped lines: Int) -> String {
    lines == 0 ? "nothing" : "the first \(lines == 1 ? "line" : "\(lines) lines")"
  }

  static func name(ofComment byte: UInt8?) -> String {
    guard let byte else { return "lines before the header row that begin with #" }
    return "all lines that begin with \(Character(Unicode.Scalar(byte)))"
  }

  static func name(of order: DateOrder?) -> String {
    switch order {
    case .dayFirst: "1 February: the day comes first"
    case .monthFirst: "2 January: the month comes first"
    case nil: "detected from all values of a column"
    }
  }

  static func name(flattens: Bool) -> String {
    flattens ? "objects become columns: name.common" : "objects are kept as JSON"
  }

  static func name(of mark: DecimalMark) -> String {
    switch mark {
    case .point: "point: 1234.5"
    case .comma: "comma: 1234,5 or 1.234,5"
    }
  }

  /// The choices for a line, with the current one.
  func choices(for line: Line, in state: BrowserState) -> [ImportChoice] {
    switch line {
    case .part: return tables.indices.map { .table($0, partName($0)) }
    case .target:
      let name = tables.isEmpty ? Self.tableName(of: path) : tables[table].entityName
      var new = Target.newTable(Self.freeName(name, in: state.schema))
      if case .newTable = target { new = target }
      return state.schema.entities.filter { !$0.isReadOnly }.map { .target(.entity($0.index)) }
        + [.target(new)]
    case .format: return FileFormat.allCases.map(ImportChoice.format)
    case .delimiter: return ",;\t|: ^~".utf8.map(ImportChoice.delimiter)
    case .header: return [.header(.present), .header(.absent)]
    case .encoding: return TextEncoding.listed.map(ImportChoice.encoding)
    case .decimal: return DecimalMark.allCases.map(ImportChoice.decimal)
    case .missing:
      return [.missing(nil), .missing([""])]
        + ["NULL", "null", "NA", "N/A", "\\N", "-"].map { .missing(["", $0]) }
    case .skippedLines: return (0...50).map(ImportChoice.skippedLines)
    case .comment: return [.comment(nil)] + "#;%/!'*-".utf8.map { .comment($0) }
    case .dates: return [nil, .dayFirst, .monthFirst].map(ImportChoice.dates)
    case .array: return ([""] + arrays).map(ImportChoice.array)
    case .flattens: return [false, true].map(ImportChoice.flattens)
    case .key:
      let mapped = zip(preview?.columns ?? [], mappings).filter { $1.property != nil }
      return [.key(nil)] + mapped.map { .key($0.0.name) }
    case .column(let index):
      guard let entity = entity(in: state.schema) else {
        return [.property(index, preview?.columns[index].name), .property(index, nil)]
      }
      return Self.properties(of: entity).map { .property(index, $0) } + [.property(index, nil)]
    case .tableName, .start: return []
    }
  }

  /// The types for a column of a new table.
  func types(of line: Line) -> [ImportChoice] {
    guard case .newTable = target, case .column(let index) = line else { return [] }
    return [.type(index, nil)] + ColumnType.allCases.map { .type(index, $0) }
  }

  /// The current value of a line as a choice.
  func present(_ line: Line) -> ImportChoice? {
    switch line {
    case .part: .table(table, partName(table))
    case .target: .target(target)
    case .format: found.format.map(ImportChoice.format)
    case .delimiter: found.csv.delimiter.map(ImportChoice.delimiter)
    case .header: .header(found.csv.header == .absent ? .absent : .present)
    case .encoding: found.encoding.map(ImportChoice.encoding)
    case .decimal: found.csv.decimalMark.map(ImportChoice.decimal)
    case .missing: .missing(found.csv.missing)
    case .skippedLines: .skippedLines(found.csv.skippedLines)
    case .comment: .comment(found.csv.comment)
    case .dates: .dates(found.dates)
    case .array: .array(found.json.path.joined(separator: "."))
    case .flattens: .flattens(found.json.flattens)
    case .key: .key(key)
    case .column(let index): .property(index, mappings[index].property)
    case .tableName, .start: nil
    }
  }
}

enum ImportChoice: Hashable, Sendable {
  /// A sheet of a workbook, or a member of an archive, with its name.
  case table(Int, String)
  case target(ImportForm.Target)
  case format(FileFormat)
  case delimiter(UInt8)
  case header(CSVHeader)
  case encoding(TextEncoding)
  case decimal(DecimalMark)
  /// The texts that stand for NULL; nil to detect them.
  case missing(Set<String>?)
  /// The number of lines to skip at the start of the file.
  case skippedLines(Int)
  /// The character at the start of lines to skip; nil for `#` before the header row only.
  case comment(UInt8?)
  /// The order of day, month and year in dates; nil to detect it.
  case dates(DateOrder?)
  /// The path to the array to read in a JSON document; empty for the document itself.
  case array(String)
  case flattens(Bool)
  /// The column that identifies objects, or none.
  case key(String?)
  /// The property that a column fills; nil to leave the column out.
  case property(Int, String?)
  /// The type of a column of a new table; nil for a type that holds all values.
  case type(Int, ColumnType?)

  func title(in schema: Schema) -> String {
    switch self {
    case .table(_, let name): name
    case .target(.entity(let index)): schema.entities[index].name
    case .target(.newTable(let name)): "new table \(name)"
    case .format(let format): ImportForm.name(of: format, delimiter: nil)
    case .delimiter(let byte): ImportForm.name(of: byte)
    case .header(let header): header == .absent ? "no, the first line is data" : "yes"
    case .encoding(let encoding): encoding.title
    case .decimal(let mark): ImportForm.name(of: mark)
    case .missing(let texts):
      texts == [""] ? "nothing between delimiters only" : ImportForm.name(of: texts)
    case .skippedLines(let lines): ImportForm.name(ofSkipped: lines)
    case .comment(let byte): ImportForm.name(ofComment: byte)
    case .dates(let order): ImportForm.name(of: order)
    case .array(let path): path.isEmpty ? "the document itself" : path
    case .flattens(let flattens): ImportForm.name(flattens: flattens)
    case .key(let column): column ?? "none: every record is a new row"
    case .property(_, let name): name ?? "leave it out"
    case .type(_, let type): type?.rawValue ?? "detect it from all values"
    }
  }
}
