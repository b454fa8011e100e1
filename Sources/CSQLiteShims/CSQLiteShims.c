#include "CSQLiteShims.h"

#include <sqlite3.h>
#include <stddef.h>

int csqliteshims_set_defensive(void *connection) {
  return sqlite3_db_config((sqlite3 *)connection, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)NULL);
}

int csqliteshims_skip_checkpoint_on_close(void *connection) {
  return sqlite3_db_config(
    (sqlite3 *)connection, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)NULL);
}

int csqliteshims_allow_double_quoted_text(void *connection, int is_allowed) {
  int code =
    sqlite3_db_config((sqlite3 *)connection, SQLITE_DBCONFIG_DQS_DDL, is_allowed, (int *)NULL);
  if (code != SQLITE_OK) return code;
  return sqlite3_db_config((sqlite3 *)connection, SQLITE_DBCONFIG_DQS_DML, is_allowed, (int *)NULL);
}
