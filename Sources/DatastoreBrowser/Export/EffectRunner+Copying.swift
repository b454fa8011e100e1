import Basics
import DatastoreCore
import DatastoreExport
import DatastoreImport
import Foundation
import Gates
import SwiftDatastore
import TerminalUI

extension Lane {
  static let copying = Lane("copying", .latest)
}

extension Effect {
  /// Makes a text for the clipboard; cancels one that is still being made.
  ///
  /// - Parameter origins: the files that the rows were read from.
  static func copy(_ request: CopyRequest, from origins: RowOrigins) -> Effect {
    .answer(in: .copying) {
      try await $0.copied(request, from: origins)
    } then: {
      $0.apply(copied: $1)
    }
  }
}

extension EffectRunner {
  /// The same rows with all their keys. Reads the missing keys of a long list.
  func readingList(of rows: ObjectRows) async throws -> ObjectRows {
    guard !rows.list.keys.isRead, let controller = list?.controller else { return rows }
    let keys = try await controller.reading(0..<rows.list.keys.count, of: rows.list.keys)
    guard keys.isRead else { throw ListChanged() }
    var read = rows
    read.list = KeyList(keys: keys, sections: rows.list.sections)
    return read
  }

  fileprivate func copied(
    _ request: CopyRequest, from origins: RowOrigins
  ) async throws -> CopiedText {
    switch request {
    case .text(let text): return try CopiedText(checking: text)
    case .value(let object, let slot):
      guard let loaded = try await view.load(object),
        let attribute = loaded.entity.properties[slot].attribute
      else { throw CopyRefusal(reason: "This object is no longer in the store.") }
      let value = loaded.shownValue(at: slot)
      let column = ExportColumn(attribute)
      let (store, entity) = (view.store, loaded.entity)
      return try await Task.detached {
        let stored = store.storedColumns(of: slot, in: entity).first?.name
        let table = store.information(about: entity).table
        var texts = try origins.texts(of: [stored], in: table, of: store)
        return try CopiedText(value, as: column) {
          try texts?.texts(of: object.key, $0, row: 0)
        }
      }.value
    case .rows(let rows, let format, let withHeader):
      let reader = ExportReader(try await readingList(of: rows), format: format, view: view)
      return try await CopiedText.rows(reader, as: format, from: origins, withHeader: withHeader)
    }
  }
}

/// Rows were deleted while the list was read.
struct ListChanged: Error, CustomStringConvertible {
  let description = "Rows were deleted while the table was being read. Try again."
}

/// Why something cannot be copied to the clipboard.
struct CopyRefusal: Error, CustomStringConvertible {
  let reason: String

  var description: String { reason }

  static let tooLarge = CopyRefusal(
    reason: "Terminals take at most \(CountText.bytes(ClipboardSequence.mostBytes)) at a time; "
      + "write it to a file with E, or select less.")
}

extension CopiedText {
  /// Copies a text unchanged.
  ///
  /// - Throws: `CopyRefusal` if the text is longer than terminals accept.
  init(checking text: String) throws {
    guard text.utf8.count <= ClipboardSequence.mostBytes else { throw CopyRefusal.tooLarge }
    self.init(
      text: text.repaired,
      subject: text.isEmpty ? "an empty text" : CountText.counted(text.count, "character"))
  }

  /// Copies a value: text unchanged, other values as their file spells them, or as in CSV.
  ///
  /// - Parameter texts: returns the value as its file spells it, in a row of one column.
  init(
    _ value: Value, as column: ExportColumn, texts: (RowPage) throws -> RowTexts?
  ) throws {
    if case .blob(let data) = value, data.count > ClipboardSequence.mostBytes {
      throw CopyRefusal.tooLarge
    }
    let page = RowPage(columnCount: 1, rowCapacity: 1)
    page.setValue(value, row: page.appendRow(key: 0), slot: 0)
    page.seal()
    if !value.isNull, let texts = try texts(page), texts.form(of: 0) != .value {
      try self.init(checking: texts.withBytes(of: 0) { String(decoding: $0, as: UTF8.self) })
      return
    }
    if case .text(let text) = value {
      try self.init(checking: text)
      return
    }
    let output = ExportOutput()
    var options = ExportOptions()
    options.writesHeader = false
    var writer = ExportFormat.tsv.makeWriter(
      [column], options: options, to: output)
    try writer.write(page, row: 0)
    try self.init(checking: String(decoding: output.contents.dropLast(), as: UTF8.self))
    switch value {
    case .null: subject = "NULL as an empty text"
    case .blob where column.type != .uuid: subject += ": the bytes in Base64"
    default: break
    }
  }

  /// Copies rows in a format; spreadsheets accept fields with tabs between them.
  @concurrent
  static func rows(
    _ reader: ExportReader, as format: ExportFormat, from origins: RowOrigins, withHeader: Bool
  ) async throws -> CopiedText {
    let output = ExportOutput()
    var options = ExportOptions()
    options.writesHeader = withHeader
    var writer = format.makeWriter(reader.columns, options: options, to: output)
    var texts = format.keepsTexts ? try reader.texts(from: origins) : nil
    let keys = reader.rowKeys()
    var count = 0
    try writer.begin()
    for start in stride(from: 0, to: keys.count, by: 16) {
      try Task.checkCancellation()
      let (page, _) = try await reader.page(keys[start..<min(keys.count, start + 16)])
      for row in 0..<page.rowCount {
        try writer.write(page, row: row, texts?.texts(of: page.key(ofRow: row), page, row: row))
        guard output.contents.count <= ClipboardSequence.mostBytes else {
          throw CopyRefusal.tooLarge
        }
      }
      count += page.rowCount
    }
    try writer.end()
    let form = format == .tsv ? (withHeader ? " with a header" : "") : " as \(format.title)"
    return CopiedText(
      text: String(decoding: output.contents, as: UTF8.self),
      subject: CountText.counted(count, "row") + form)
  }
}
