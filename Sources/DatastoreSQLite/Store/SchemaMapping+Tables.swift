import Basics
import DatastoreCore
import DatastoreSQL
import GRDB

extension SchemaMapping {
  /// The tables that rows of entities are written to or looked up in, by their names in lower case.
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

  /// The tables that a native file has by this mapping.
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
