// A connection that keeps a shared engine alive, and lets go of it in order.
import type { Socket } from 'node:net'
import { HOLD_COMMAND, RELEASE_COMMAND } from '../commands/owner.ts'
import { callOwner, openSocket } from './owner-call.ts'

/** An engine that does not end in this time is left to itself. */
const RELEASE_MS = 10_000
/** An engine that does not answer in this time is not there. */
const ANSWER_MS = 20_000

/** A hold on a running engine: while it is open the engine does not end by itself. */
export interface Lease {
  /** Resolves when the engine has gone away, or the lease was let go. */
  readonly over: Promise<void>
  /** Lets go; resolves with true once the engine is ending, with false when others still use it. */
  release(): Promise<boolean>
  /** Lets go without a word. */
  drop(): void
}

/** Connects to an engine's socket; `undefined` when no engine answers there. */
export async function openLease(path: string): Promise<Lease | undefined> {
  const socket = await openSocket(path)
  if (!socket) return undefined
  socket.on('error', () => socket.destroy())
  // A process that was killed still takes connections until the system has closed its socket: only
  // who answers is there.
  socket.setTimeout(ANSWER_MS, () => socket.destroy())
  // One that is not shared answers with an error: it is there.
  const answer = await callOwner(socket, HOLD_COMMAND, {})
  if (!answer) {
    socket.destroy()
    return undefined
  }
  socket.setTimeout(0)
  socket.removeAllListeners('timeout')
  // Holding on to the engine must not keep the host's process from ending.
  socket.unref()
  socket.resume()
  const over = new Promise<void>((resolve) => {
    if (socket.destroyed) resolve()
    else socket.once('close', () => resolve())
  })
  return { over, release: () => release(socket, over), drop: () => socket.destroy() }
}

async function release(socket: Socket, over: Promise<void>): Promise<boolean> {
  if (socket.destroyed) return false
  socket.ref()
  socket.setTimeout(RELEASE_MS, () => socket.destroy())
  // An engine that others use answers and stays; one that nobody else uses ends, and cuts this off.
  const answer = await callOwner(socket, RELEASE_COMMAND, {})
  socket.destroy()
  await over
  return answer === undefined
}
