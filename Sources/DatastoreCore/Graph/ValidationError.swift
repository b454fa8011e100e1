/// Objects that cannot be saved in their present state. Nothing was saved.
public struct ValidationError: Error, Sendable, Codable, CustomStringConvertible {
  /// A fault of one property of one object.
  public struct Fault: Sendable, Hashable, Codable, CustomStringConvertible {
    /// The rule of the model that is broken.
    @nonexhaustive
    public enum Reason: Sendable, Hashable, Codable {
      /// An attribute or to-one relationship that is not optional has no value.
      case missingValue
      /// A value that a rule of the attribute does not accept (`validate:`).
      case breaksRule(ValidationRule, value: Value, type: AttributeType)
      /// A whole number exceeds the store's greatest.
      case tooGreat(value: String)
      /// A to-many relationship leads to some objects, but fewer than its `minimumCount`.
      case tooFew(minimum: Int)
      /// A to-many relationship leads to more objects than its `maximumCount`.
      case tooMany(maximum: Int)
      /// The object's own `validate()` has thrown an error.
      case refused(reason: String)
      /// A relationship leads to an object of another one of several stores.
      case acrossStores
      /// The object was to be deleted, but a relationship with the rule `deny` still leads to objects; with
      /// their number.
      case deletionDenied(related: Int)
    }

    /// The name of the object's entity.
    public let entity: String
    /// The key of the object's row.
    public let key: RowKey
    /// The name of the property; empty for a fault of the object as a whole.
    public let property: String
    /// The reason.
    public let reason: Reason

    package init(entity: String, key: RowKey, property: String, reason: Reason) {
      self.entity = entity
      self.key = key
      self.property = property
      self.reason = reason
    }

    public var description: String {
      switch reason {
      case .missingValue: "\(entity) \(key): \(property) has no value, but must have one."
      case .breaksRule(let rule, let value, let type):
        "\(entity) \(key): \(property) is \(type.text(of: value)), but must "
          + "\(rule.demand(of: type))."
      case .tooGreat(let value):
        "\(entity) \(key): \(property) is \(value), but the greatest whole number that can be saved is "
          + "\(Int64.max)."
      case .tooFew(let minimum):
        "\(entity) \(key): \(property) must have at least \(minimum) objects."
      case .tooMany(let maximum):
        "\(entity) \(key): \(property) must have at most \(maximum) objects."
      case .refused(let reason): "\(entity) \(key): \(reason)"
      case .acrossStores:
        "\(entity) \(key): \(property) leads to an object of another store; choose one of the same store."
      case .deletionDenied(let related):
        "\(entity) \(key) cannot be deleted while \(property) leads to "
          + "\(related == 1 ? "an object" : "\(related) objects")."
      }
    }
  }

  /// All faults, object by object in the order of their first change.
  public let faults: [Fault]

  package init(faults: [Fault]) {
    self.faults = faults
  }

  public var description: String {
    let list = faults.map { "  - \($0)" }.joined(separator: "\n")
    return "Nothing was saved, because \(faults.count) "
      + "\(faults.count == 1 ? "value is" : "values are") not valid:\n\(list)"
  }
}

extension ObjectGraph {
  /// Checks the model's rules for every changed object.
  ///
  /// - Throws: `ValidationError` with all faults, or `ConflictError`.
  func validate() throws {
    var faults: [ValidationError.Fault] = []
    var conflicts: [Conflict] = []
    let hasSharedEntities = store.hasSharedEntities
    for object in tracked {
      if hasSharedEntities { object.reportStrays(in: &faults) }
      switch object.state {
      case .inserted, .updated:
        object.reportInvalidValues(in: &faults)
        object.reportInvalidCounts(in: &faults)
        object.reportRefusal(in: &faults)
        object.reportConflict(in: &conflicts)
      case .deleted:
        reportDeniedDeletions(of: object, in: &faults)
      case .clean, .fault:
        object.reportInvalidCounts(in: &faults)
      case .gone: break
      }
    }
    if !faults.isEmpty { throw ValidationError(faults: faults) }
    if !conflicts.isEmpty { throw ConflictError(conflicts: conflicts) }
  }

  private func reportDeniedDeletions(
    of object: ManagedObject, in faults: inout [ValidationError.Fault]
  ) {
    for link in schema.deleteRules(of: object.entity.index).denying
    where object.entity.isKind(of: schema.entities[link.entity]) {
      let left = object.existing(at: link.slot).count
      guard left > 0 else { continue }
      faults.append(
        .init(
          entity: object.entity.name, key: object.key, property: link.description.name,
          reason: .deletionDenied(related: left)))
    }
  }
}

// Faults are added to a list: most objects have none, and creating an empty list for each check took as long
// as checking.
extension ManagedObject {
  /// Adds the error of the class's `validate()`.
  fileprivate func reportRefusal(in faults: inout [ValidationError.Fault]) {
    do {
      try validate()
    } catch {
      faults.append(
        .init(entity: entity.name, key: key, property: "", reason: .refused(reason: "\(error)")))
    }
  }

  fileprivate func reportInvalidValues(in faults: inout [ValidationError.Fault]) {
    guard let extras else { return }
    for slot in extras.changedSlots where extras.values[slot].isNull {
      guard let attribute = entity.properties[slot].attribute, !attribute.isOptional,
        !attribute.isReadOnly
      else { continue }
      faults.append(
        .init(entity: entity.name, key: key, property: attribute.name, reason: .missingValue))
    }
    for slot in entity.relationshipSlots
    where extras.changedSlots.contains(slot) && extras.values[slot].isNull {
      guard let relationship = entity.links[slot]?.description, !relationship.isOptional else {
        continue
      }
      faults.append(
        .init(entity: entity.name, key: key, property: relationship.name, reason: .missingValue))
    }
    for (slot, type, rules) in entity.rules where extras.changedSlots.contains(slot) {
      let value = extras.values[slot]
      for rule in rules where !rule.accepts(value, of: type) {
        faults.append(
          .init(
            entity: entity.name, key: key, property: entity.properties[slot].name,
            reason: .breaksRule(rule, value: value, type: type)))
      }
    }
    for slot in entity.unsigned64Slots where extras.changedSlots.contains(slot) {
      guard case .text(let value) = extras.values[slot] else { continue }
      faults.append(
        .init(
          entity: entity.name, key: key, property: entity.properties[slot].name,
          reason: .tooGreat(value: value)))
    }
  }

  fileprivate func reportInvalidCounts(in faults: inout [ValidationError.Fault]) {
    guard let extras, !extras.toMany.isEmpty else { return }
    for slot in entity.relationshipSlots {
      guard let relationship = entity.links[slot]?.description,
        relationship.limitsCount,
        extras.toMany[slot]?.isChanged ?? false
      else { continue }
      if let reason = relationship.fault(ofCount: relatedKeys(at: slot).count) {
        faults.append(
          .init(entity: entity.name, key: key, property: relationship.name, reason: reason))
      }
    }
  }

  fileprivate func reportConflict(in conflicts: inout [Conflict]) {
    // Whether the row is still gone is the store's to say.
    guard let extras, !extras.conflictBases.isEmpty, stagedRow != .gone else { return }
    let properties = extras.conflictBases.sorted { $0.key < $1.key }.map { slot, original in
      Conflict.Property(
        name: entity.properties[slot].name, original: original, mine: extras.values[slot],
        theirs: committedValue(at: slot))
    }
    conflicts.append(
      Conflict(entity: entity.name, key: key, properties: properties, isDeleted: false))
  }
}

extension RelationshipDescription {
  package var limitsCount: Bool { minimumCount > 0 || maximumCount > 0 }

  /// The fault of a number of objects; nil if there is none.
  package func fault(ofCount count: Int) -> ValidationError.Fault.Reason? {
    if maximumCount > 0, count > maximumCount { return .tooMany(maximum: maximumCount) }
    if count > 0, count < minimumCount { return .tooFew(minimum: minimumCount) }
    return nil
  }
}
