// What would end a start, found before anything is built: Node too old, port taken, folder not writable.
import { accessSync, constants, existsSync, mkdirSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Relative folders are taken from the folder of keelson.config.json. */
const PLATFORM = dirname(fileURLToPath(import.meta.url))
const OLDEST_NODE = [20, 19]

/** Returns one sentence with the remedy, or undefined when nothing is in the way. */
export async function obstacleTo(env, nodeVersion = process.versions.node) {
  return (
    nodeObstacle(nodeVersion) ??
    folderObstacle(env) ??
    (await portObstacle(env)) ??
    (await mailPortObstacle(env))
  )
}

function nodeObstacle(version) {
  const [major, minor] = version.split('.').map(Number)
  const [oldestMajor, oldestMinor] = OLDEST_NODE
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return undefined
  return `Keelson needs Node ${OLDEST_NODE.join('.')} or newer; this is Node ${version}. Install a current Node, then start again.`
}

function folderObstacle(env) {
  if (env.MONGODB_URI) return undefined
  const folder = resolve(PLATFORM, env.KEELSON_DATA_DIR || '../../.keelson')
  try {
    makeFolder(folder)
    accessSync(folder, constants.W_OK | constants.X_OK)
    return undefined
  } catch (error) {
    return `The data folder ${folder} is not writable (${error.code}). Set KEELSON_DATA_DIR to a folder that this user may write.`
  }
}

/** Node's own recursive mkdir never ends where a file system refuses new folders, as /proc does. */
function makeFolder(folder) {
  if (existsSync(folder)) return
  makeFolder(dirname(folder))
  mkdirSync(folder)
}

function portObstacle(env) {
  const place = { host: env.HOST || '127.0.0.1', port: Number(env.PORT || 3000), variable: 'PORT' }
  return placeObstacle(place)
}

/**
 * The mailbox listens here. A web host and a worker of one platform may share it, and so may hosts whose
 * mail goes to another server: then the mailbox listens as soon as the port is free.
 */
function mailPortObstacle(env) {
  const isAlone = (env.KEELSON_ROLE || 'all') === 'all' && !env.KEELSON_SMTP_URL
  if (!isAlone) return Promise.resolve(undefined)
  const port = Number(env.KEELSON_SMTP_PORT || 2525)
  return placeObstacle({ host: '127.0.0.1', port, variable: 'KEELSON_SMTP_PORT' })
}

function placeObstacle(place) {
  const { host, port } = place
  // An invalid port has its own message, when the demo reads its settings.
  if (!Number.isInteger(port) || port < 0 || port > 65_535) return Promise.resolve(undefined)
  return new Promise((settle) => {
    const server = createServer()
    server.once('error', ({ code }) => settle(placeSentence(code, place)))
    server.listen({ host, port }, () => server.close(() => settle(undefined)))
  })
}

function placeSentence(code, { host, port, variable }) {
  const name = variable === 'PORT' ? 'Port' : 'The mail port'
  if (code === 'EADDRINUSE') {
    return `${name} ${port} on ${host} is in use. Stop the program that uses it, or set ${variable} to another port.`
  }
  if (code === 'EACCES') {
    return `${name} ${port} needs more rights than this user has. Set ${variable} to a port above 1023.`
  }
  return `${host}:${port} cannot be listened on (${code}). Set HOST to an address of this machine.`
}
