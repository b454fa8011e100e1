/// What may be done to a store whose file was made with another version of the model.
public enum MigrationPolicy: Sendable, Hashable {
  /// Nothing: opening throws.
  case none
  /// What touches no row: new tables and columns, other names, rules. Everything else throws.
  case instant
  /// What keeps every value, but for what a version of the model says that it `removes:`. Rows are written where
  /// that is needed, values are converted where each of them fits.
  case lossless
  /// The same, and what is declared here may be lost.
  case declared(DeclaredLosses)
  /// The file is erased and made again when it differs from the model. **All objects are lost**, and no copy
  /// is kept.
  case recreating
}

/// What a migration may drop although it holds values.
public struct DeclaredLosses: Sendable, Hashable, ExpressibleByArrayLiteral {
  /// Entities (`Visit`) and properties (`Person.fax`), by their names in the file; nil for everything.
  package let names: Set<String>?

  /// Everything that the newer version does not have.
  public static let all = DeclaredLosses(names: nil)

  private init(names: Set<String>?) { self.names = names }

  /// Entities (`"Visit"`) and properties (`"Person.fax"`), by their names in the file.
  public init(_ names: some Sequence<String>) { self.init(names: Set(names)) }

  public init(arrayLiteral names: String...) { self.init(names) }

  /// Whether a loss is declared.
  public func contains(_ loss: MigrationLoss) -> Bool {
    names?.contains(loss.name) ?? true
  }
}

extension DeclaredLosses {
  /// What versions on the way declare that they remove, by the names that a file has for it.
  ///
  /// Each names things as the version before it does.
  ///
  /// - Parameters:
  ///   - versions: those on the way, oldest first.
  ///   - file: the version of the file.
  package init(of versions: [Schema], after file: Schema) {
    var names: Set<String> = []
    var way = SchemaDifference(from: file, to: file)
    for version in versions {
      let step = SchemaDifference(from: way.new, to: version)
      for entity in way.new.entities {
        guard let former = way.former(entity) else { continue }
        if version.removes.declares(entity.name, isGone: step.later(entity) == nil) {
          names.insert(former.name)
        }
        let kept = step.keptSlots(of: entity)
        for (slot, property) in zip(entity.slots, entity.properties) {
          guard let formerSlot = way.formerSlots[entity.index][slot],
            version.removes.declares(
              "\(entity.name).\(property.name)", isGone: !kept.contains(slot))
          else { continue }
          names.insert("\(former.name).\(former.properties[formerSlot].name)")
        }
      }
      way = way.followed(by: step)
    }
    self.init(names: versions.last?.removes.names == nil && !versions.isEmpty ? nil : names)
  }

  private func declares(_ name: String, isGone: Bool) -> Bool { names?.contains(name) ?? isGone }
}
