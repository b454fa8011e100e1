/// Files of map programs, whose triggers call functions that only those programs have.
package enum SpatialFiles {
  /// A GeoPackage with the triggers of its R-tree extension as the standard has them:
  /// <https://www.geopackage.org/spec121/#extension_rtree>.
  package static let geoPackage = """
    PRAGMA application_id = 0x47504B47;
    CREATE TABLE gpkg_contents (table_name TEXT NOT NULL PRIMARY KEY, data_type TEXT NOT NULL, identifier TEXT UNIQUE);
    CREATE TABLE places (fid INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, geom POINT, name TEXT);
    CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT);
    INSERT INTO gpkg_contents VALUES ('places', 'features', 'places');
    INSERT INTO notes VALUES (1, 'plain');
    INSERT INTO places VALUES (1, x'4750000100000000', 'Rome'), (2, NULL, 'nowhere');
    CREATE VIRTUAL TABLE rtree_places_geom USING rtree(id, minx, maxx, miny, maxy);
    CREATE TRIGGER rtree_places_geom_insert AFTER INSERT ON places
      WHEN (new.geom NOT NULL AND NOT ST_IsEmpty(NEW.geom)) BEGIN
      INSERT OR REPLACE INTO rtree_places_geom VALUES (
        NEW.fid, ST_MinX(NEW.geom), ST_MaxX(NEW.geom), ST_MinY(NEW.geom), ST_MaxY(NEW.geom)); END;
    CREATE TRIGGER rtree_places_geom_update1 AFTER UPDATE OF geom ON places
      WHEN OLD.fid = NEW.fid AND (NEW.geom NOTNULL AND NOT ST_IsEmpty(NEW.geom)) BEGIN
      INSERT OR REPLACE INTO rtree_places_geom VALUES (
        NEW.fid, ST_MinX(NEW.geom), ST_MaxX(NEW.geom), ST_MinY(NEW.geom), ST_MaxY(NEW.geom)); END;
    CREATE TRIGGER rtree_places_geom_update2 AFTER UPDATE OF geom ON places
      WHEN OLD.fid = NEW.fid AND (NEW.geom ISNULL OR ST_IsEmpty(NEW.geom)) BEGIN
      DELETE FROM rtree_places_geom WHERE id = OLD.fid; END;
    CREATE TRIGGER rtree_places_geom_update3 AFTER UPDATE OF geom ON places
      WHEN OLD.fid != NEW.fid AND (NEW.geom NOTNULL AND NOT ST_IsEmpty(NEW.geom)) BEGIN
      DELETE FROM rtree_places_geom WHERE id = OLD.fid;
      INSERT OR REPLACE INTO rtree_places_geom VALUES (
        NEW.fid, ST_MinX(NEW.geom), ST_MaxX(NEW.geom), ST_MinY(NEW.geom), ST_MaxY(NEW.geom)); END;
    CREATE TRIGGER rtree_places_geom_update4 AFTER UPDATE ON places
      WHEN OLD.fid != NEW.fid AND (NEW.geom ISNULL OR ST_IsEmpty(NEW.geom)) BEGIN
      DELETE FROM rtree_places_geom WHERE id IN (OLD.fid, NEW.fid); END;
    CREATE TRIGGER rtree_places_geom_delete AFTER DELETE ON places WHEN old.geom NOT NULL BEGIN
      DELETE FROM rtree_places_geom WHERE id = OLD.fid; END;
    """

  /// A SpatiaLite file: its triggers look at the geometry only.
  package static let spatiaLite = """
    CREATE TABLE geometry_columns (f_table_name TEXT NOT NULL, f_geometry_column TEXT NOT NULL, srid INTEGER);
    CREATE TABLE towns (id INTEGER PRIMARY KEY, name TEXT, geometry BLOB);
    INSERT INTO towns VALUES (1, 'Arezzo', x'0001'), (2, 'Pisa', x'0002');
    CREATE VIRTUAL TABLE idx_towns_geometry USING rtree(pkid, xmin, xmax, ymin, ymax);
    CREATE TRIGGER "ggi_towns_geometry" BEFORE INSERT ON "towns" FOR EACH ROW BEGIN
      SELECT RAISE(ROLLBACK, 'towns.geometry violates Geometry constraint [geom-type or SRID not allowed]')
      WHERE (SELECT srid FROM geometry_columns WHERE Lower(f_table_name) = Lower('towns')
        AND GeometryConstraints(NEW."geometry", 'POINT', srid, 'XY') = 1) IS NULL; END;
    CREATE TRIGGER "ggu_towns_geometry" BEFORE UPDATE OF "geometry" ON "towns" FOR EACH ROW BEGIN
      SELECT RAISE(ROLLBACK, 'towns.geometry violates Geometry constraint [geom-type or SRID not allowed]')
      WHERE (SELECT srid FROM geometry_columns WHERE Lower(f_table_name) = Lower('towns')
        AND GeometryConstraints(NEW."geometry", 'POINT', srid, 'XY') = 1) IS NULL; END;
    CREATE TRIGGER "gii_towns_geometry" AFTER INSERT ON "towns" FOR EACH ROW BEGIN
      DELETE FROM "idx_towns_geometry" WHERE pkid = NEW.ROWID;
      SELECT RTreeAlign('idx_towns_geometry', NEW.ROWID, NEW."geometry"); END;
    CREATE TRIGGER "giu_towns_geometry" AFTER UPDATE OF "geometry" ON "towns" FOR EACH ROW BEGIN
      DELETE FROM "idx_towns_geometry" WHERE pkid = NEW.ROWID;
      SELECT RTreeAlign('idx_towns_geometry', NEW.ROWID, NEW."geometry"); END;
    CREATE TRIGGER "gid_towns_geometry" AFTER DELETE ON "towns" FOR EACH ROW BEGIN
      DELETE FROM "idx_towns_geometry" WHERE pkid = OLD.ROWID; END;
    """
}
