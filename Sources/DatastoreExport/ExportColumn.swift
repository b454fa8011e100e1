package import DatastoreCore

package struct ExportColumn: Sendable, Hashable {
  package var name: String
  /// The type of the values, which decides how stored numbers and bytes are written.
  package let type: AttributeType
  /// How a column of a third-party file stores dates; such a column is written as dates.
  package let dates: DateConvention?

  package init(name: String, type: AttributeType, dates: DateConvention? = nil) {
    self.name = name
    self.type = type
    self.dates = dates
  }

  /// The column with its dates written as the stored numbers.
  package var withStoredDates: ExportColumn {
    ExportColumn(name: name, type: type == .date ? .undefined : type)
  }

  /// Describes the column of an attribute.
  package init(_ attribute: AttributeDescription) {
    self.init(name: attribute.name, type: attribute.type, dates: attribute.dateConvention)
  }
}
