import Basics
import DatastoreCore

extension CoreDataContents {
  /// Collects the contents of a model.
  init(_ model: CoreDataModel, _ tables: CoreDataTables) {
    var properties: [Int64: [String]] = [:]
    for entity in model.isGuessed ? [] : tables.entities {
      guard let number = tables.numbers[entity.name] else { continue }
      var names: [String] = []
      var next: CoreDataModel.Entity? = entity
      while let ancestor = next {
        names += ancestor.attributes.filter { !$0.isTransient }.map(\.name)
        names += ancestor.relationships.filter { !$0.isTransient }.map(\.name)
        next = ancestor.parent.flatMap { tables.byName[$0] }
      }
      properties[number] = names.sorted()
    }
    self.init(remarks: model.remarks, properties: properties)
  }
}
