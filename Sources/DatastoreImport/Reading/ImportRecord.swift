/// One named value of a record, with the place in the file where it was read.
package struct ImportField: Equatable, Sendable {
  /// The CSV column or the JSON member name.
  package let name: String
  package let value: ImportValue
  /// Line of the value in a CSV file, of the member's name in a JSON file. The first line is 1.
  package let line: Int
  /// Column of the same place, in Unicode scalars. The first column is 1.
  package let column: Int
}

/// One record of a file: a CSV row, or a JSON object. No two fields have the same name.
package struct ImportRecord: Equatable, Sendable {
  /// The fields, in the order of the file.
  package let fields: [ImportField]
  /// Where the record begins.
  package let position: SourcePosition
  /// The last of the fields, if it describes why the record is irregular; nil for a regular record.
  package let irregularity: ImportField?

  /// The value of the named field; nil if the record has no such field. Linear in the fields.
  package subscript(name: String) -> ImportValue? {
    fields.first { $0.name == name }?.value
  }

  /// Where the named field was read; the record's own position if it has no such field.
  ///
  /// Linear in the number of fields.
  package func position(of name: String) -> SourcePosition {
    guard let field = fields.first(where: { $0.name == name }) else { return position }
    return SourcePosition(file: position.file, line: field.line, column: field.column)
  }
}
