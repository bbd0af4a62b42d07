// Every command of the server.
import { AGGREGATE_COMMANDS } from './aggregate.ts'
import { AUTHENTICATION } from './authentication.ts'
import { BULK_WRITE_COMMANDS } from './bulk-write.ts'
import { COLLECTION_COMMANDS } from './collections.ts'
import type { Command } from './command.ts'
import { CURSOR_COMMANDS } from './cursor-commands.ts'
import { DIAGNOSTICS } from './diagnostics.ts'
import { EXPLAIN_COMMANDS } from './explain.ts'
import { FIND_COMMANDS } from './find.ts'
import { FIND_AND_MODIFY_COMMANDS } from './find-and-modify.ts'
import { HANDSHAKE } from './handshake.ts'
import { INDEX_COMMANDS } from './indexes.ts'
import { OWNER_COMMANDS } from './owner.ts'
import { SESSION_COMMANDS } from './sessions.ts'
import { STATISTICS } from './statistics.ts'
import { WRITE_COMMANDS } from './write.ts'

/** The commands by family. A name that is not here is refused with CommandNotFound (59). */
export const COMMANDS: readonly Command[] = [
  ...HANDSHAKE,
  ...FIND_COMMANDS,
  ...AGGREGATE_COMMANDS,
  ...CURSOR_COMMANDS,
  ...WRITE_COMMANDS,
  ...FIND_AND_MODIFY_COMMANDS,
  ...BULK_WRITE_COMMANDS,
  ...COLLECTION_COMMANDS,
  ...INDEX_COMMANDS,
  ...STATISTICS,
  ...EXPLAIN_COMMANDS,
  ...SESSION_COMMANDS,
  ...DIAGNOSTICS,
  ...AUTHENTICATION,
  ...OWNER_COMMANDS
]
