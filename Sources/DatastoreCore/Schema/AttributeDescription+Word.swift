extension AttributeDescription {
  /// The type in a word: what its values are, not what a file declares.
  package var typeWord: String { type.word }

  /// What a file declares, where that is another word.
  package var otherDeclaration: String? {
    declaredType.flatMap { $0.isEmpty || $0.lowercased() == typeWord.lowercased() ? nil : $0 }
  }
}
