// Where the shared engine of a data folder listens: the same socket for as long as the folder lives.
import { createHash, randomBytes } from 'node:crypto'
import { link, lstat, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** A socket's path must fit the system's address structure: 107 bytes on Linux, 103 on macOS. */
const MAX_SOCKET_PATH = 100
const ADDRESS_FILE = 'socket-address'
/** Ends in `.sock`, by which drivers know a path from a host. */
const SOCKET_NAME = 'engine.sock'

/**
 * The socket of a data folder, its own folder made with mode 0700. It lies inside the data folder
 * when the path is short enough, else in the system's folder for temporary files, and then its
 * address is kept in the data folder.
 */
export async function socketAddress(dataDir: string): Promise<string> {
  const inside = join(dataDir, 'socket', SOCKET_NAME)
  if (Buffer.byteLength(inside) <= MAX_SOCKET_PATH) {
    await mkdir(dirname(inside), { recursive: true, mode: 0o700 })
    return inside
  }
  for (;;) {
    const kept = await readKept(dataDir)
    if (kept !== undefined && (await ownPrivateFolder(dirname(kept)))) return kept
    if (kept !== undefined) await rm(join(dataDir, ADDRESS_FILE), { force: true })
    await keepNew(dataDir)
  }
}

async function readKept(dataDir: string): Promise<string | undefined> {
  try {
    return (await readFile(join(dataDir, ADDRESS_FILE), 'utf8')).trim() || undefined
  } catch {
    return undefined
  }
}

/** Of several who keep a new address at a time the first wins; the others read what it wrote. */
async function keepNew(dataDir: string): Promise<void> {
  const name = createHash('sha256')
    .update(dataDir)
    .update(randomBytes(8))
    .digest('hex')
    .slice(0, 16)
  const address = join(tmpdir(), `keelson-${name}`, SOCKET_NAME)
  if (Buffer.byteLength(address) > MAX_SOCKET_PATH) {
    throw new Error(`The path of temporary files, ${tmpdir()}, is too long for a socket.`)
  }
  const draft = join(dataDir, `.${ADDRESS_FILE}-${process.pid}-${name}`)
  await writeFile(draft, `${address}\n`, { mode: 0o600 })
  await link(draft, join(dataDir, ADDRESS_FILE)).catch(() => {})
  await rm(draft, { force: true })
}

/** Makes the folder, or makes sure that it is this user's alone: others may write beside it. */
async function ownPrivateFolder(dir: string): Promise<boolean> {
  await mkdir(dir, { mode: 0o700 }).catch(() => {})
  const found = await lstat(dir).catch(() => undefined)
  const isPrivate = found?.isDirectory() && (found.mode & 0o077) === 0
  return isPrivate === true && found?.uid === process.getuid?.()
}

/** The address of a socket as drivers take it. */
export function socketUri(path: string): string {
  return `mongodb://${encodeURIComponent(path)}/?directConnection=true`
}
