// The journal on disk: appended durably, claimed by renaming, so that no line is lost between processes.
import { randomBytes } from 'node:crypto'
import { constants, createReadStream } from 'node:fs'
import { type FileHandle, mkdir, open, readdir, rename, stat, unlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { createInterface } from 'node:readline'

const { O_APPEND, O_CREAT, O_NOFOLLOW, O_RDONLY, O_WRONLY } = constants
/** A claim whose process lives is its own for this long. */
const CLAIM_MS = 5 * 60_000
const MAX_TRIES = 5

/**
 * Appends lines and returns when they are on disk. A file that was claimed meanwhile may have been read
 * already, so the lines are then written again: a line that is there twice does no harm.
 *
 * @throws what the file system says; then the lines may be missing
 */
export async function appendLines(path: string, lines: readonly string[]): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  // A line break on both sides: a line that a crash cut off never runs into the next.
  const bytes = Buffer.from(`\n${lines.join('\n')}\n`)
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const file = await open(path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW, 0o600)
    try {
      await file.writeFile(bytes)
      await file.sync()
      await syncFolder(path)
      if (await isStill(path, file)) return
    } finally {
      await file.close()
    }
  }
  throw new Error('the journal was claimed again and again while it was written')
}

async function isStill(path: string, file: FileHandle): Promise<boolean> {
  const [there, ours] = await Promise.all([stat(path).catch(() => undefined), file.stat()])
  return there?.ino === ours.ino && there.dev === ours.dev
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(dirname(path), O_RDONLY)
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

/**
 * Claims the journal, and what processes that died had claimed. A claim is a separate file that stays
 * until it is removed, so a crash loses nothing.
 */
export async function claimJournal(path: string, now: Date): Promise<string[]> {
  const prefix = `${basename(path)}.claim-`
  const names = await readdir(dirname(path)).catch(missing<string[]>([]))
  const abandoned = names.filter(
    (name) => name.startsWith(prefix) && isAbandoned(name.slice(prefix.length), now)
  )
  const claims: string[] = []
  for (const file of [...abandoned.map((name) => join(dirname(path), name)), path]) {
    const claim = `${path}.claim-${ownMark()}-${now.getTime()}-${randomBytes(6).toString('hex')}`
    const isOurs = await rename(file, claim).then(() => true, missing(false))
    if (isOurs) claims.push(claim)
  }
  return claims
}

/** The process, and when it began: a restarted container has the same process ids again. */
const ownMark = (): string => `${process.pid}-${Math.trunc(performance.timeOrigin)}`

function isAbandoned(mark: string, now: Date): boolean {
  const [pid = '', began = '', claimedAt = ''] = mark.split('-')
  if (now.getTime() - Number(claimedAt) > CLAIM_MS) return true
  if (Number(pid) === process.pid) return `${pid}-${began}` !== ownMark()
  return !isAlive(Number(pid))
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** The lines of a claim, without empty ones, in groups. */
export async function* readLines(claim: string, group: number): AsyncGenerator<string[]> {
  const file = await open(claim, O_RDONLY | O_NOFOLLOW)
  const input = createReadStream('', { fd: file, encoding: 'utf8' })
  let lines: string[] = []
  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    if (line.trim() !== '') lines.push(line)
    if (lines.length < group) continue
    yield lines
    lines = []
  }
  if (lines.length > 0) yield lines
}

/** Removes a claim whose lines are all dealt with. */
export async function removeClaim(claim: string): Promise<void> {
  await unlink(claim).catch(missing(undefined))
}

/** Turns "no such file" into a value: nothing was written yet, or another process was faster. */
const missing =
  <T>(value: T) =>
  (error: unknown): T => {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return value
    throw error
  }
