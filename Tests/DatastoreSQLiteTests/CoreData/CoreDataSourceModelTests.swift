import DatastoreCore
import DatastoreTestSupport
import Foundation
import Testing

@testable import DatastoreSQLite

@Suite("Source models of Core Data") struct CoreDataSourceModelTests {
  private let model: CoreDataModel
  private let schema: Schema

  init() throws {
    model = try CoreDataModel(source: Array(SourceModel.office.utf8))
    schema = try model.schema()
  }

  private func attribute(_ name: String) throws -> AttributeDescription {
    let person = try #require(schema.entity(named: "Person"))
    return try #require(person.description.properties.first { $0.name == name }?.attribute)
  }

  @Test("Entities inherit, and have uniqueness, indexes and former names")
  func entities() throws {
    #expect(schema.entities.map(\.name) == ["Company", "Manager", "Person"])
    let person = try #require(schema.entity(named: "Person")).description
    #expect(person.isAbstract && person.renamedFrom == "Human")
    #expect(
      person.indexes == [
        IndexDescription([.init("surname"), .init("born", isDescending: true)])
      ])
    let manager = try #require(schema.entity(named: "Manager")).description
    #expect(manager.parent == "Person" && manager.properties.last?.name == "deputies")
    #expect(try #require(schema.entity(named: "Company")).description.uniqueness == [["name"]])
  }

  @Test("Attributes have types, defaults, rules and indexes")
  func attributes() throws {
    #expect(try attribute("born").defaultValue == .real(3600))
    #expect(try attribute("first").defaultValue == .text(#"a "b" & c"#))
    #expect(try attribute("surname").renamedFrom == "last")
    #expect(try attribute("pay").rules == [.range(minimum: 0, maximum: 100)])
    #expect(try !attribute("pay").isOptional && attribute("pay").type == .decimal)
    #expect(try attribute("isActive").defaultValue == 1)
    #expect(try attribute("floor").isIndexed)
    #expect(try attribute("note").type == .data)
    let company = try #require(schema.entity(named: "Company")).description
    #expect(
      company.properties.first { $0.name == "name" }?.attribute?.rules == [
        .length(minimum: 2, maximum: nil), .matches("[A-Z].*"),
      ])
  }

  @Test("Relationships have counts, orders, inverses and rules")
  func relationships() throws {
    let all = schema.entities.flatMap { $0.description.properties.compactMap(\.relationship) }
    let staff = try #require(all.first { $0.name == "staff" })
    #expect(staff.kind == .orderedToMany && staff.deleteRule == .cascade)
    #expect(staff.inverse == "company" && staff.destination == "Person")
    let deputies = try #require(all.first { $0.name == "deputies" })
    #expect(deputies.minimumCount == 1 && deputies.maximumCount == 4)
    #expect(deputies.deleteRule == .deny && deputies.inverse == nil)
  }

  @Test("What is not stored, or in another way, is told")
  func remarks() {
    #expect(
      model.remarks == [
        "Company.rich is a fetched property",
        "Person.initial is derived from uppercase:(first)",
        "Person.isDirty is transient: it is not stored",
        "Person.note is what NSSecureUnarchiveFromData made",
        "Person.photo may be in a file of its own",
      ])
  }

  @Test(
    "What is no model is refused with the reason",
    arguments: [
      ("", CoreDataModelFault.notXML), ("<model", .notXML), ("<model><entity></model>", .notXML),
      ("<model/>", .notAModel), ("<html></html>", .notAModel),
      ("<model><entity/></model>", .notAModel),
      ("<!DOCTYPE m [<!ENTITY a \"b\">]><model><entity name=\"&a;\"/></model>", .notXML),
      ("<model><entity name=\"&a;\"/></model>", .notXML),
      (String(repeating: "<a>", count: 100), .tooGreat),
    ])
  func refused(text: String, fault: CoreDataModelFault) {
    #expect(throws: fault) { try CoreDataModel(source: Array(text.utf8)) }
  }

  @Test("An entity that inherits from itself is left out, and two of one name are refused")
  func strange() throws {
    let circle = #"<model><entity name="A" parentEntity="A"/><entity name="B"/></model>"#
    #expect(throws: CoreDataModelFault.tooGreat) {
      try CoreDataModel(source: Array(circle.utf8))
    }
    let twice = #"<model><entity name="A"/><entity name="A"/></model>"#
    #expect(throws: CoreDataModelFault.self) { try CoreDataModel(source: Array(twice.utf8)) }
  }
}
