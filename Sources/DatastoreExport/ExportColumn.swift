package import DatastoreCore

/// A column of what is written.
package struct ExportColumn: Sendable, Hashable {
  package var name: String
  /// What its values mean: decides how stored numbers and bytes are written.
  package let type: AttributeType
  /// How a column of another program's file stores dates, which are written as dates then.
  package let dates: DateConvention?

  package init(name: String, type: AttributeType, dates: DateConvention? = nil) {
    self.name = name
    self.type = type
    self.dates = dates
  }

  /// The same with dates written as the numbers that are stored.
  package var withStoredDates: ExportColumn {
    ExportColumn(name: name, type: type == .date ? .undefined : type)
  }

  /// The same under another name.
  package func named(_ name: String) -> ExportColumn {
    ExportColumn(name: name, type: type, dates: dates)
  }

  /// The column of an attribute.
  package init(_ attribute: AttributeDescription) {
    self.init(name: attribute.name, type: attribute.type, dates: attribute.dateConvention)
  }
}
