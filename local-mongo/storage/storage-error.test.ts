// What failures of the disk become.
import { test } from 'tap'
import { commandError } from '../errors.ts'
import { toStorageError } from './storage-error.ts'

test('a full disk is reported as OutOfDiskSpace, whatever form it comes in', async (t) => {
  const late = Object.assign(new Error('Commit failed'), {
    commitError: Promise.reject(new Error('MDB_MAP_FULL: the map is full'))
  })
  for (const cause of [new Error('No space left on device'), late, 'File too large']) {
    t.match(await toStorageError(cause), { code: 14031, message: /nothing was written/ })
  }
})

test('other failures are internal errors, and errors for the client stay as they are', async (t) => {
  t.match(await toStorageError(new Error('odd')), { code: 1, message: /undone: odd/ })
  const none = Object.assign(new Error('Commit failed'), {
    commitError: Promise.resolve(undefined)
  })
  t.match(await toStorageError(none), { code: 1, message: /Commit failed/ })
  const odd = Object.assign(new Error('Commit failed'), { commitError: 'odd' })
  t.match(await toStorageError(odd), { code: 1, message: /Commit failed/ })
  const own = commandError('BadValue', 'no')
  t.equal(await toStorageError(own), own)
})
