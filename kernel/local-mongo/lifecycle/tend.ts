// Looks after a data folder that nobody serves: check, backup, restore.
import { cp, readdir } from 'node:fs/promises'
import { resolve } from 'node:path'
import { BACKUP_COMMAND } from '../commands/owner.ts'
import type { CheckReport, Engine } from '../engine.ts'
import { openEngine } from '../engine.ts'
import { openDataFolder } from './data-folder.ts'
import { EXIT_IN_USE } from './exit-codes.ts'
import { lockFolder } from './folder-lock.ts'
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

/** Copies a folder into an empty one; an engine that serves it copies itself while it goes on. */
export async function backupFolder(dataDir: string, target: string): Promise<Tended<string>> {
  const dir = resolve(target)
  const occupied = await refuseOccupied(dir)
  if (occupied) return occupied
  const refused = await askRunning(dataDir, dir)
  if (refused) return refused
  // The copy is a data folder of its own.
  await openDataFolder(dir)
  return { kind: 'done', value: dir }
}

/** Has the running engine copy itself, or the folder's files when there is none. */
async function askRunning(dataDir: string, target: string): Promise<Tended<never> | undefined> {
  const folder = await openDataFolder(dataDir)
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
  const from = await openDataFolder(source)
  if (from.kind === 'refused') return { ...from, exitCode: 1 }
  await cp(from.path, dir, { recursive: true, filter: (path) => !/[/\\]lock\.\d+$/.test(path) })
  const checked = await checkFolder(dir)
  if (checked.kind === 'refused') return checked
  if (checked.value.ok) return { kind: 'done', value: dir }
  const [problem] = checked.value.problems
  return { kind: 'refused', reason: `the backup is damaged: ${problem}`, exitCode: 1 }
}

async function refuseOccupied(dir: string): Promise<Tended<never> | undefined> {
  const names = await readdir(dir).catch(() => [])
  if (names.length === 0) return undefined
  return { kind: 'refused', reason: `the folder ${dir} is not empty`, exitCode: 1 }
}

async function withEngine<T>(
  dataDir: string,
  act: (engine: Engine) => Promise<T>
): Promise<Tended<T>> {
  const folder = await openDataFolder(dataDir)
  if (folder.kind === 'refused') return { ...folder, exitCode: 1 }
  const lock = await lockFolder(folder.path)
  if (lock.kind === 'in use') {
    const reason = `the data folder ${folder.path} is in use by process ${lock.pid}`
    return { kind: 'refused', reason, exitCode: EXIT_IN_USE }
  }
  try {
    const engine = await openEngine(folder.path, {})
    try {
      return { kind: 'done', value: await act(engine) }
    } finally {
      await engine.close()
    }
  } finally {
    await lock.release()
  }
}
