import CoreStoreCompatibility
import Foundation
import Testing

/// Each name of CoreStore's conditions in a line that finds the right objects, by the file of CoreStore that
/// declares it.
@MainActor
@Suite struct WhereNamesTests {
  private let dataStack: DataStack
  private let ann: Owner
  private var annID: NSManagedObjectID { ann.objectID }

  init() throws {
    dataStack = try namedStack()
    ann = try #require(try dataStack.fetchOne(From<Owner>().where(\.$name == "Ann")))
  }

  private func owners(_ condition: Where<Owner>) throws -> String {
    try owners(From<Owner>().where(condition))
  }

  private func owners(_ query: From<Owner>) throws -> String {
    try dataStack.fetchAll(query, OrderBy<Owner>(.ascending("name"))).map { $0.name.prefix(1) }
      .joined()
  }

  private func hounds(_ condition: Where<Hound>) throws -> String {
    try dataStack.fetchAll(From<Hound>(), condition, OrderBy<Hound>(.ascending("name")))
      .map { $0.name.prefix(1) }.joined()
  }

  /// Where.swift
  @Test func initializers() throws {
    #expect(try owners(Where<Owner>()) == "ABC")
    #expect(try owners(Where<Owner>(Where<Owner>(false))) == "")
    #expect(try owners(Where<Owner>(true)) == "ABC")
    #expect(try owners(Where<Owner>("age > %d", 25)) == "BC")
    #expect(try owners(Where<Owner>("%K > %d", argumentArray: ["age", 25])) == "BC")
    #expect(try owners(Where<Owner>("nickname", isEqualTo: nil)) == "AC")
    #expect(try owners(Where<Owner>("age", isEqualTo: 20)) == "A")
    #expect(try hounds(Where<Hound>("owner", isEqualTo: ann)) == "R")
    #expect(try hounds(Where<Hound>("owner", isEqualTo: annID)) == "R")
    #expect(try owners(Where<Owner>("age", isMemberOf: [20, 30])) == "AB")
    #expect(try owners(Where<Owner>("age", isMemberOf: [Int]())) == "")
    #expect(try hounds(Where<Hound>("owner", isMemberOf: [ann])) == "R")
    #expect(try hounds(Where<Hound>("owner", isMemberOf: Set([annID]))) == "R")
    #expect(try owners(Where<Owner>(\.$age, isEqualTo: 20)) == "A")
    #expect(try owners(Where<Owner>(\.$nickname, isEqualTo: nil)) == "AC")
    #expect(try hounds(Where<Hound>(\.$owner, isEqualTo: nil)) == "")
    #expect(try hounds(Where<Hound>(\.$owner, isEqualTo: ann)) == "R")
    #expect(try hounds(Where<Hound>(\.$owner, isEqualTo: annID)) == "R")
    #expect(try owners(Where<Owner>(\.$age, isMemberOf: [20, 40])) == "AC")
    #expect(try hounds(Where<Hound>(\.$owner, isMemberOf: [ann])) == "R")
    #expect(try hounds(Where<Hound>(\.$owner, isMemberOf: [annID])) == "R")
    #expect(try owners(Where<Owner> { $0.$age == 20 }) == "A")
  }

  /// Where.swift, WhereClauseType.swift
  @Test func combinations() throws {
    let young = Where<Owner>(\.$age, isEqualTo: 20)
    let none: Where<Owner>? = nil
    #expect(try owners(young && Where<Owner>(true)) == "A")
    #expect(try owners(young || Where<Owner>("age > 35")) == "AC")
    #expect(try owners(!young) == "BC")
    #expect(try owners(young &&? none) == "A")
    #expect(try owners(none &&? young) == "A")
    #expect(try owners(young ||? none) == "A")
    #expect(try owners(none ||? young) == "A")
    #expect(try owners([young, Where<Owner>(false)].combinedByAnd()) == "")
    #expect(try owners([young, Where<Owner>(false)].combinedByOr()) == "A")
    #expect(young == Where<Owner>("age == 20") && Set([young, young]).count == 1)
    #expect("\(young.predicate)" == "age == 20")
    func text(_ clause: some WhereClauseType<Owner>) -> String { "\(clause.predicate)" }
    let erased: any AnyWhereClause & DeleteClause = young
    #expect(text(young) == "\(erased.predicate)")
  }

  /// KeyPath+Querying.swift
  @Test func keyPaths() throws {
    #expect(try owners(\.$age == 20) == "A" && owners(\.$age != 20) == "BC")
    #expect(try owners(\.$age < 30) == "A" && owners(\.$age <= 30) == "AB")
    #expect(try owners(\.$age > 30) == "C" && owners(\.$age >= 30) == "BC")
    #expect(try owners([20, 40] ~= \.$age) == "AC" && owners(Set([20]) ~= \.$age) == "A")
    #expect(try owners(\.$nickname == nil) == "AC" && owners(\.$nickname != nil) == "B")
    #expect(try owners(\.$nickname < "C") == "B" && owners(\.$nickname >= "C") == "")
    #expect(try owners(["Bo"] ~= \.$nickname) == "B")
    #expect(try hounds(\.$owner == ann) == "R" && hounds(\.$owner != ann) == "T")
    #expect(try hounds(\.$owner == annID) == "R" && hounds(\.$owner != annID) == "T")
    #expect(try hounds([ann] ~= \.$owner) == "R" && hounds([annID] ~= \.$owner) == "R")
    let publisher = try dataStack.publishObject(ann)
    #expect(try hounds(\.$owner == publisher) == "R" && hounds(\.$owner != publisher) == "T")
    #expect(try hounds(\.$owner == publisher.snapshot) == "R")
    #expect(try hounds(\.$owner != publisher.snapshot) == "T")
    #expect(String(keyPath: \Hound.$owner) == "owner")
  }

  /// CoreStoreObject+Querying.swift
  @Test func closures() throws {
    #expect(try owners(From<Owner>().where { $0.$age == 20 }) == "A")
    #expect(try owners(From<Owner>().where { $0.$age > 20 && $0.$nickname == nil }) == "C")
    #expect(try owners(From<Owner>().where { $0.$age != 20 || $0.$age <= 20 }) == "ABC")
    #expect(try owners(From<Owner>().where { [20, 30] ~= $0.$age }) == "AB")
    #expect(try dataStack.fetchCount(From<Hound>().where { $0.$owner == ann }) == 1)
  }

  /// Where.Expression.swift
  @Test func paths() throws {
    #expect(try hounds(\.$owner ~ \.$age == 20) == "R")
    #expect(try hounds(\.$owner ~ \.$age != 20) == "T")
    #expect(try hounds(\.$owner ~ \.$age >= 20 && \.$owner ~ \.$age < 30) == "R")
    #expect(try hounds(["Ann"] ~= \.$owner ~ \.$name) == "R")
    #expect(try hounds(\.$owner ~ \.$nickname == nil) == "R")
    #expect(try owners((\.$hounds ~ \.$age).any() > 3) == "B")
    #expect(try owners((\.$hounds ~ \.$age).all() > 3) == "BC")
    #expect(try owners((\.$hounds ~ \.$age).none() > 3) == "AC")
    #expect(try owners((\Owner.$hounds).count() == 0) == "C")
    #expect(try hounds((\.$owner ~ \.$hounds).count() == 1) == "RT")
    #expect(String(keyPath: \Hound.$owner ~ \.$name) == "owner.name")
  }
}
