#include "CSQLiteShims.h"

#include <sqlite3.h>
#include <stddef.h>

int csqliteshims_set_defensive(void *connection) {
  return sqlite3_db_config((sqlite3 *)connection, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)NULL);
}
