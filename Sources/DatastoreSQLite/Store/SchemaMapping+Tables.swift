import Basics
import DatastoreCore
import DatastoreSQL
import GRDB

extension SchemaMapping {
  /// The tables in which rows of entities are written or looked up, by their names in lower case.
  func tables(of entities: Set<EntityIndex>) -> Set<String> {
    var names: Set<String> = []
    for entity in entities {
      names.insert(self.entities[entity].table.caselessKey)
      for slot in self.entities[entity].slots {
        switch slot {
        case .toOne(let foreign):
          names.insert(self.entities[foreign.destination].table.caselessKey)
        case .toManyJoin(let join): names.insert(join.table.caselessKey)
        case .attribute, .toManyForeignKey: continue
        }
      }
    }
    return names
  }

  /// The tables of a native file with this mapping.
  func nativeTables() throws -> [FileTable] {
    let own = fileSchema === schema ? self : .native(fileSchema)
    let model = try DatabaseQueue()
    return try model.inDatabase { database in
      for statement in NativeTables(mapping: own).statements {
        try RawStatement(statement, in: database).run()
      }
      return try FileTable.all(in: database)
    }
  }
}
