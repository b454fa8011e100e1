extension DeclaredLosses {
  /// Whether a loss is declared.
  public func contains(_ loss: MigrationLoss) -> Bool {
    names?.contains(loss.name) ?? true
  }
}

extension DeclaredLosses {
  /// The losses that versions on the way declare, by their names in the file.
  ///
  /// Each version uses the names of the version before it.
  ///
  /// - Parameters:
  ///   - versions: the versions on the way, oldest first.
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
