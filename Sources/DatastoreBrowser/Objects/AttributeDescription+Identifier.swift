import DatastoreCore

/// Recognizing attributes that only identify objects.
extension AttributeDescription {
  /// Whether the values are meant for programs rather than for people: unique identifiers, and keys,
  /// recognized by their names.
  ///
  /// The columns of such attributes come after all others by default.
  func isIdentifier(of entity: Entity) -> Bool {
    switch type {
    case .uuid: return true
    case .boolean, .float, .double, .decimal, .date, .calendarDate, .url, .coded: return false
    default: break
    }
    if dateConvention != nil { return false }
    if declaredType?.uppercased().contains("UUID") ?? false { return true }
    let lowercased = name.lowercased()
    if Self.identifiers.contains(lowercased) { return true }
    // `employeeid` of the table Employee, or Employees.
    let table = entity.name.lowercased()
    if [table, table.hasSuffix("s") ? String(table.dropLast()) : table]
      .contains(where: { lowercased == $0 + "id" })
    {
      return true
    }
    // `employee_id` and `employeeId`, but neither `paid` nor `valid`.
    return Self.identifiers.contains { word in
      guard word.count >= 2, lowercased.hasSuffix(word), name.count > word.count else {
        return false
      }
      let ending = name.suffix(word.count)
      guard let before = name.dropLast(word.count).last else { return false }
      return before == "_" || before == "-" || before == " "
        || ending.first?.isUppercase ?? false && before.isLowercase
    }
  }

  private static let identifiers: Set<String> = [
    "id", "_id", "uuid", "guid", "rowid", "oid", "pk", "z_pk", "identifier",
  ]
}
