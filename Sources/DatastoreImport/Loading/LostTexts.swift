import DatastoreCore

/// Texts of files that cannot be restored from the values stored for them: `9.50` is stored as 9.5,
/// `2024-05-01T09:00+02:00` in UTC, and `N/A` as no value.
///
/// If a load is to keep them (`ReadingOptions.keepsLostTexts`), each is stored in a column of its own, which
/// a new table has only if there is such a text.
enum LostTexts {
  private static let form = FieldText(reading: ValueReading())

  /// The column that keeps the texts of another one.
  static func column(for property: String) -> String { property + "_text" }

  /// The text of a field; nil if the stored value is written exactly like that.
  static func text(
    of field: ImportValue, storedAs value: Value, _ attribute: AttributeDescription
  ) -> String? {
    guard case .text(let text) = field, !text.isEmpty, attribute.type != .string,
      form.text(value, attribute, like: nil) != text
    else { return nil }
    return text
  }
}

extension LoadPlan {
  /// Keeps texts that cannot be restored from the stored values.
  package mutating func keepLostTexts() {
    for index in sources.indices {
      sources[index].reading.keepsLostTexts = true
      // `N/A` is text by default, and a missing value in columns of numbers and dates.
      sources[index].reading.csv.detectedMissing = [""]
    }
  }
}

extension LoadSource {
  /// The columns that have texts which would be lost.
  ///
  /// - Parameters:
  ///   - entity: the entity of the file.
  ///   - dateOrders: the order of days and months by column.
  ///   - progress: called after every batch of records.
  /// - Throws: `ImportError`; `LoadError.unfit` if the file already has a column with the name for such
  ///   texts.
  func columnsLosingTexts(
    as entity: Entity, _ content: ImportManifest.EntityContent, dateOrders: [String: DateOrder],
    batchSize: Int, progress: (any RecordReader, Int) throws -> Void
  ) throws -> Set<String> {
    var reader = try makeReader()
    var conversion = FieldConversion(
      reader.valueReading, of: self, dateOrders: dateOrders, batchSize: batchSize)
    var found: Set<String> = []
    var count = 0
    func look(at record: ImportRecord) {
      for field in record.fields where !found.contains(field.name) {
        guard let slot = entity.slot(named: content.property(of: field.name)),
          let attribute = entity.properties[slot].attribute, attribute.type != .string,
          // The load reports values that cannot be stored.
          let value = try? conversion.value(of: field.value, in: field.name, for: attribute),
          LostTexts.text(of: field.value, storedAs: value, attribute) != nil
        else { continue }
        found.insert(field.name)
      }
    }
    while true {
      do {
        guard let record = try reader.next() else { break }
        look(at: record)
      } catch ImportError.malformed {}
      count += 1
      if count.isMultiple(of: batchSize) { try progress(reader, count) }
    }
    for column in found.sorted() {
      let name = LostTexts.column(for: content.property(of: column))
      guard entity.slot(named: name) != nil else { continue }
      throw LoadError.unfit(
        nil,
        reason: "The texts of “\(column.shownInMessage)” cannot be kept in a column "
          + "“\(name.shownInMessage)”, since \(self.name) has one of that name itself; load it without --keep-text, or say with "
          + "--type \(column.shownInMessage)=string that they are not missing values")
    }
    return found
  }
}

extension ImportManifest.EntityContent {
  /// The property that a column fills.
  package func property(of column: String) -> String {
    columns.first { $0.name == column }?.property ?? column
  }
}
