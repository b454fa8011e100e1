/// An array indexed by a number of its own type, so that another number cannot be passed for it.
@usableFromInline
package struct PlacedArray<Place: ArrayPlace, Element> {
  /// In the order of their places.
  @usableFromInline package var elements: [Element]

  @inlinable
  package init(_ elements: [Element]) { self.elements = elements }

  @inlinable
  package init(repeating element: Element, count: Int) {
    elements = Array(repeating: element, count: count)
  }

  /// - Returns: the index of the new element.
  @discardableResult
  @inlinable
  package mutating func append(_ element: Element) -> Place {
    elements.append(element)
    return Place(rawValue: elements.count - 1)
  }

  @inlinable
  package subscript(place: Place) -> Element {
    get { elements[place.rawValue] }
    _modify { yield &elements[place.rawValue] }
  }
}

/// An index into an array of a certain kind. Ranges of them can be iterated.
@usableFromInline
package protocol ArrayPlace: RawRepresentable, Strideable, Sendable
where RawValue == Int, Stride == Int {
  init(rawValue: Int)
}

/// An element for each entity of a schema, by its index.
@usableFromInline
package typealias ByEntity<Element> = PlacedArray<EntityIndex, Element>

/// An element for each property of an entity, by its slot.
@usableFromInline
package typealias BySlot<Element> = PlacedArray<Slot, Element>

extension EntityIndex: ArrayPlace {}
extension Slot: ArrayPlace {}

extension PlacedArray: Sendable where Element: Sendable {}
extension PlacedArray: Equatable where Element: Equatable {}
extension PlacedArray: Hashable where Element: Hashable {}
extension PlacedArray: Codable where Element: Codable {}

extension PlacedArray: RandomAccessCollection, MutableCollection, ExpressibleByArrayLiteral {
  @inlinable
  package init(arrayLiteral elements: Element...) { self.elements = elements }

  @inlinable package var startIndex: Place { Place(rawValue: 0) }
  @inlinable package var endIndex: Place { Place(rawValue: elements.count) }

  @usableFromInline package typealias Indices = Range<Place>

  @inlinable
  package var placed: Zip2Sequence<Range<Place>, [Element]> { zip(indices, elements) }

  @inlinable
  package func makeIterator() -> Array<Element>.Iterator { elements.makeIterator() }
}
