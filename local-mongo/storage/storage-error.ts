// What a failure of the disk means to a client.
import { CommandError, commandError } from '../errors.ts'

// LMDB calls a write that came up short, as the last one before a disk is full does, an I/O error.
const FULL =
  /No space left|MDB_MAP_FULL|MDB_TXN_FULL|Disk quota|File too large|Input\/output error/i

// lmdb-js 3 changes how LMDB saves its list of free pages (ROOT_OPTIONS in databases.ts), and may fail a commit
// over it. Nothing is written then, and the list is read again when the file is opened again. MDB_BAD_TXN has
// other reasons too, so the words of mdb_freelist_save must be there.
const FREE_LIST_FAULTS: ReadonlyMap<unknown, RegExp> = new Map([
  [-30798, /MDB_NOTFOUND/],
  [-30782, /MDB_BAD_TXN.*freelist had a data entry with zero-size/]
])

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** lmdb-js tells of a failed commit by an error that carries the cause as a promise. */
async function causeOf(error: unknown): Promise<unknown> {
  if (!(error instanceof Error) || !('commitError' in error)) return error
  const pending = error.commitError
  if (!(pending instanceof Promise)) return error
  return pending.then(
    (cause) => cause ?? error,
    (cause) => cause
  )
}

/** The error that the client receives. Nothing was written. */
export async function toStorageError(error: unknown): Promise<unknown> {
  if (error instanceof CommandError) return error
  const cause = await causeOf(error)
  const message = messageOf(cause)
  if (FULL.test(message)) {
    return commandError(
      'OutOfDiskSpace',
      `The disk is full or failing, nothing was written: ${message}. Free space in the data folder's file system.`,
      { cause }
    )
  }
  return commandError('InternalError', `The write failed and was undone: ${message}`, { cause })
}

/** Whether the error of `toStorageError` is of LMDB's list of free pages: then the same change may pass later. */
export function isFreeListFault(error: unknown): boolean {
  const cause = error instanceof CommandError ? error.cause : undefined
  if (!(cause instanceof Error) || !('code' in cause)) return false
  return FREE_LIST_FAULTS.get(cause.code)?.test(cause.message) === true
}
