// Maintains a data folder that no server has open: check, compact, backup, restore.
import { copyFile, readdir, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { BACKUP_COMMAND } from '../commands/owner.ts'
import { copyDataFile } from '../engine/backup.ts'
import { type Compacted, compactData } from '../engine/compact.ts'
import { openEngine } from '../engine/open.ts'
import { DATA_FILE } from '../engine/parts.ts'
import type { CheckReport, Engine } from '../engine.ts'
import { findDataFolder, openDataFolder } from './data-folder.ts'
import { EXIT_IN_USE } from './exit-codes.ts'
import { lockFolder, lockHolder } from './folder-lock.ts'
import { callOwner, openSocket } from './owner-call.ts'
import { socketAddress } from './socket-address.ts'

/** What came of it. */
export type Tended<T> =
  | { readonly kind: 'done'; readonly value: T }
  | { readonly kind: 'refused'; readonly reason: string; readonly exitCode: number }

/** Reads everything and reports what does not fit together. */
export function checkFolder(dataDir: string): Promise<Tended<CheckReport>> {
  return withEngine(dataDir, (engine) => engine.check())
}

/** Writes the data file anew without pages that hold nothing; what is damaged stays as it is. */
export async function compactFolder(dataDir: string): Promise<Tended<Compacted>> {
  const compacted = await withFolder(dataDir, compactData)
  if (compacted.kind === 'refused') return compacted
  const { value } = compacted
  if (!('problem' in value)) return { kind: 'done', value }
  const reason = `the data is damaged and was left as it is: ${value.problem}`
  return { kind: 'refused', reason, exitCode: 1 }
}

/** Copies a folder into an empty one; an engine that serves it copies itself while it goes on. */
export async function backupFolder(dataDir: string, target: string): Promise<Tended<string>> {
  const dir = resolve(target)
  const occupied = await refuseOccupied(dir)
  if (occupied) return occupied
  const refused = await askRunning(dataDir, dir)
  if (refused) return refused
  // The copy is a separate data folder.
  await openDataFolder(dir)
  return { kind: 'done', value: dir }
}

/** Has the running engine copy itself, or the folder's files when there is none. */
async function askRunning(dataDir: string, target: string): Promise<Tended<never> | undefined> {
  const folder = await findDataFolder(dataDir)
  if (folder.kind === 'refused') return { ...folder, exitCode: 1 }
  const socket = await openSocket(await socketAddress(folder.path))
  if (!socket) {
    const copied = await withEngine(dataDir, (engine) => engine.backup(target))
    return copied.kind === 'refused' ? copied : undefined
  }
  const answer = await callOwner(socket, BACKUP_COMMAND, { to: target })
  socket.destroy()
  if (answer && Number(answer.get('ok')) === 1) return undefined
  const reason = `the engine could not copy itself: ${answer?.get('errmsg') ?? 'it has gone away'}`
  return { kind: 'refused', reason, exitCode: 1 }
}

/** Makes a data folder of a backup. */
export async function restoreFolder(dataDir: string, source: string): Promise<Tended<string>> {
  const dir = resolve(dataDir)
  const occupied = await refuseOccupied(dir)
  if (occupied) return occupied
  const from = await findDataFolder(source)
  if (from.kind === 'refused') return { ...from, exitCode: 1 }
  const pid = await lockHolder(from.path)
  if (pid !== undefined) return inUse(from.path, pid)
  const file = join(from.path, DATA_FILE)
  // A database that was never written to has none.
  const isThere = (await stat(file).catch(() => undefined)) !== undefined
  if (isThere) await copyDataFile(dir, (path) => copyFile(file, path))
  await openDataFolder(dir)
  const checked = await checkFolder(dir)
  if (checked.kind === 'refused') return checked
  if (checked.value.ok) return { kind: 'done', value: dir }
  const [problem] = checked.value.problems
  return { kind: 'refused', reason: `the backup is damaged: ${problem}`, exitCode: 1 }
}

function inUse(path: string, pid: number): Tended<never> {
  const reason = `the data folder ${path} is in use by process ${pid}`
  return { kind: 'refused', reason, exitCode: EXIT_IN_USE }
}

async function refuseOccupied(dir: string): Promise<Tended<never> | undefined> {
  const names = await readdir(dir).catch(() => [])
  if (names.length === 0) return undefined
  return { kind: 'refused', reason: `the folder ${dir} is not empty`, exitCode: 1 }
}

function withEngine<T>(dataDir: string, act: (engine: Engine) => Promise<T>): Promise<Tended<T>> {
  return withFolder(dataDir, async (path) => {
    const engine = await openEngine(path, {})
    try {
      return await act(engine)
    } finally {
      await engine.close()
    }
  })
}

/** Runs `act` while no other process has the folder. */
async function withFolder<T>(
  dataDir: string,
  act: (path: string) => Promise<T>
): Promise<Tended<T>> {
  const folder = await findDataFolder(dataDir)
  if (folder.kind === 'refused') return { ...folder, exitCode: 1 }
  const lock = await lockFolder(folder.path)
  if (lock.kind === 'in use') return inUse(folder.path, lock.pid)
  try {
    await openDataFolder(folder.path)
    return { kind: 'done', value: await act(folder.path) }
  } finally {
    await lock.release()
  }
}
