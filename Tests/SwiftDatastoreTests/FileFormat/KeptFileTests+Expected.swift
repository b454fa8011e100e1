extension KeptFileTests {
  /// The rows of a kept file, a line for each object.
  static let expected = #"""
    Sample defaults: -1 -8 -16 -32 -64 1 8 16 32 64 true 0.5 0.25 1 "it\'s" file:///tmp 0.0 \#
    2024-02-29 01020304-0506-0708-090A-0B0C0D0E0F10 [0, 1, 255]
    Sample greatest: 9223372036854775807 127 32767 2147483647 9223372036854775807 \#
    9223372036854775807 255 65535 4294967295 9223372036854775807 true 0.30000000000000004 \#
    16777216.0 9999999999999999.01 "Åäö 漢字 🇸🇪\0\n\'\"`" file:///tmp 766666666.123456 \#
    9999-12-31 01020304-0506-0708-090A-0B0C0D0E0F10 [0, 1, 255]
    Sample least: -9223372036854775808 -128 -32768 -2147483648 -9223372036854775808 0 0 0 0 \#
    0 false -inf -3.4028235e+38 -0.1234567890123456789012345678901234567 "" \#
    file:///a%20b/%C3%BC -63114076800.0 0001-01-01 01020304-0506-0708-090A-0B0C0D0E0F10 []
    Optionals: - - - - - - - - - - - - - - - - -
    Optionals: - 7 - - - - - - - - - - - second - - ["new"]
    Optionals: 0 0 false 0.0 1e-30 12.5 text https://example.org/?q=%C3%BC -1.0 1999-12-31 \#
    E621E1F8-C36C-495A-93FC-0C247A3E6E5F [1, 2, 3] “12” first green Address(street: \#
    "Söder/1", numbers: [1, 2]) []
    Employee Ann tags ["new"] born - partner Dee of - friends ["Bob", "Dee"] of [] notes [] \#
    badge 1 mail Ann@example.org company Acme manager - reports ["Bob", "Cid"] jobs \#
    ["sleep", "write", "read"]
    Employee Bob tags [] born - partner - of - friends [] of ["Ann"] notes [] badge 1 mail \#
    Bob@example.org company Umbrella manager Ann reports [] jobs []
    Employee Cid tags [] born - partner - of - friends [] of [] notes [] badge 1 mail \#
    Cid@example.org company - manager Ann reports [] jobs []
    Person Dee tags ["old"] born 86400.5 partner - of Ann friends [] of ["Ann"] notes \#
    ["about Dee"]
    Robot R2 tags ["new", "old"] serial 2 guardian Acme
    Company Acme employees ["Ann"] robot R2 flagship 10 visitors ["Dee", "R2"] ranking \#
    ["Umbrella", "Acme"]
    Company Umbrella employees ["Bob"] robot - flagship - visitors [] ranking []
    Job read owner Ann
    Job sleep owner Ann
    Job write owner Ann
    Tag new parties ["Ann", "R2"]
    Tag old parties ["Dee", "R2"]
    Song one albums ["first"]
    Song two albums ["second", "first"]
    Album first songs ["two", "one"]
    Album second songs ["two"]
    Order 1 1.5 10 ten own Order
    Note about Dee subject Dee
    """#

  /// The fingerprints of the entities of `KeptModel`. Files hold them: they never change.
  static let hashes = [
    "hash:Album cd114af70ce52867",
    "hash:Company ab520b7c1338d334",
    "hash:Employee 9a0832a7e860408d",
    "hash:Job 14e32a3f95ee71d9",
    "hash:Optionals cd49aa170ebcf63f",
    "hash:Order `of` \"things\" 89a56da17e503733",
    "hash:Party adfa082439d8dcdd",
    "hash:Person 6b6e648edfd8db96",
    "hash:Robot 4f2a78b02d9051ca",
    "hash:Sample 8db8dbef919288ef",
    "hash:Song 1f645b0555bf0de7",
    "hash:Tag d37fddf9d43f142c",
    "hash:sqlite_note 0658d14907353e4b",
    "rules:Album aae5001044e8c322",
    "rules:Company 0e2cd9b3fb3c2672",
    "rules:Employee e301847ac608c827",
    "rules:Job 777ffe67546f3716",
    "rules:Optionals ae5323d26de52ff0",
    "rules:Order `of` \"things\" 9f8666d028d5db73",
    "rules:Party dda155f23d96e67a",
    "rules:Person f9a79c9c3b99959b",
    "rules:Robot 963a59962b5c2c3c",
    "rules:Sample e28e57638711b634",
    "rules:Song fcc8e0574ca290c4",
    "rules:Tag 2b3f6533b2277ace",
    "rules:sqlite_note 273b954965ce88ea",
  ]
}
