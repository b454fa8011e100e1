package import DatastoreSQL

// GRDB has types of these names, too. In this module they mean those of a mapping.

package typealias Column = DatastoreSQL.Column
package typealias ForeignKey = DatastoreSQL.ForeignKey
