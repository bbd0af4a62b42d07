// A connection that keeps a shared engine alive, and lets go of it in order.
import type { Socket } from 'node:net'
import { connect } from 'node:net'
import { Int32 } from 'bson'
import type { Doc } from '../bson/value.ts'
import { encodeDoc } from '../bson/value.ts'
import { encodeReply } from '../wire/message.ts'

/** The command by which a host lets go; only a shared engine knows it. */
export const RELEASE_COMMAND = 'keelsonRelease'
const RELEASE_MS = 10_000

/** A hold on a running engine: while it is open the engine does not end by itself. */
export interface Lease {
  /** Resolves when the engine has gone away, or the lease was let go. */
  readonly over: Promise<void>
  /** Lets go; resolves when the engine has ended, or has said that others still use it. */
  release(): Promise<void>
}

/** Connects to an engine's socket; `undefined` when nobody listens there. */
export async function openLease(path: string): Promise<Lease | undefined> {
  const socket = await open(path)
  if (!socket) return undefined
  // Holding on to the engine must not keep the host's process from ending.
  socket.unref()
  socket.on('error', () => socket.destroy())
  const over = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  return { over, release: () => release(socket, over) }
}

function open(path: string): Promise<Socket | undefined> {
  return new Promise((resolve) => {
    const socket = connect(path)
    socket.once('connect', () => resolve(socket))
    socket.once('error', () => resolve(undefined))
  })
}

async function release(socket: Socket, over: Promise<void>): Promise<void> {
  if (socket.destroyed) return over
  socket.ref()
  socket.setTimeout(RELEASE_MS, () => socket.destroy())
  // An engine that others use answers and stays; one that nobody else uses ends, and cuts this off.
  socket.once('data', () => socket.destroy())
  const command: Doc = new Map<string, Int32 | string>([
    [RELEASE_COMMAND, new Int32(1)],
    ['$db', 'admin']
  ])
  socket.write(encodeReply({ requestId: 1, responseTo: 0 }, encodeDoc(command)))
  return over
}
