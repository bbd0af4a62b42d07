// The drain and close phases: no new work, work in hand ends, plugins close in reverse order.
import { within } from '@keelson/sdk'
import type { Connections } from '../http/connections.ts'
import { startDeadline, type TimeLeft } from '../schedule/deadline.ts'
import { isOpen, type Kernel } from './kernel.ts'
import type { RunningPlugin } from './running-plugin.ts'

const IDLE_CHECK_MS = 50
/** Kept back for the database when plugins use up their time. */
const STORAGE_MS = 500

export interface Closing {
  /** Begins the drain; returns at once. Called again, it does nothing. */
  drain(): void
  /** Ends the drain and closes everything. Never rejects, never hangs. */
  close(): Promise<void>
}

export function createClosing(kernel: Kernel, connections: Connections): Closing {
  const { deadlines } = kernel.seams
  let timeLeft: TimeLeft = () => deadlines.close
  let draining: Promise<void> | undefined
  let closing: Promise<void> | undefined

  const drain = () => {
    if (draining !== undefined) return
    timeLeft = startDeadline(deadlines.close)
    kernel.phase = 'drain'
    if (!kernel.stop.signal.aborted) kernel.stop.abort(new Error('the host closes'))
    for (const { stop } of kernel.running) stop.abort(new Error('the host closes'))
    connections.sendClose(kernel.measuring.inHand())
    draining = drainSchedule(kernel, deadlines.requests)
    letConnectionsGo(kernel, deadlines.requests)
  }

  const close = async () => {
    drain()
    await draining
    const waiting = [...kernel.running].reverse()
    for (const [at, running] of waiting.entries()) {
      const share = (timeLeft() - STORAGE_MS) / (waiting.length - at)
      await closePlugin(running, Math.max(50, Math.min(deadlines.pluginClose, share)))
    }
    // A refused start does not wait for a database that may not answer.
    const ms = isOpen(kernel) ? Math.max(STORAGE_MS, timeLeft()) : STORAGE_MS
    await closeStorage(kernel, ms)
    kernel.phase = 'closed'
  }

  return {
    drain,
    close() {
      closing ??= close()
      return closing
    }
  }
}

/** Connections that are kept alive go as soon as they are idle, all others when time is up. */
function letConnectionsGo({ app, log }: Kernel, ms: number): void {
  const { server } = app
  if (!server.listening) return
  const idle = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_MS)
  const cut = setTimeout(() => {
    log.warn('requests did not end in time, their connections are cut')
    server.closeAllConnections()
  }, ms)
  server.once('close', () => {
    clearInterval(idle)
    clearTimeout(cut)
  })
}

async function drainSchedule(kernel: Kernel, ms: number): Promise<void> {
  if (!isOpen(kernel)) return
  const { schedule, log } = kernel
  try {
    await schedule.drain(ms)
  } catch (error) {
    log.warn({ err: error }, 'the schedule did not drain')
  }
}

/** Runs the close callbacks of a plugin, the last first, within `ms`. Never rejects. */
export async function closePlugin(running: RunningPlugin, ms: number): Promise<void> {
  const { plugin, log, onClose, outbound, fetchPublic } = running
  const closeAll = async () => {
    for (const fn of [...onClose].reverse()) {
      try {
        await fn()
      } catch (error) {
        log.warn({ err: error }, `plugin ${plugin.id} failed in onClose`)
      }
    }
    await Promise.all([outbound.close(), fetchPublic.close()])
  }
  const overdue = () => new Error(`not closed within ${Math.round(ms)} ms`)
  try {
    await within(closeAll(), { deadline: { ms, overdue } })
  } catch (error) {
    log.warn({ err: error }, `plugin ${plugin.id} did not close in time and is left behind`)
  }
}

async function closeStorage(kernel: Kernel, ms: number): Promise<void> {
  const { connecting, log } = kernel
  if (connecting === undefined) return
  const overdue = () => new Error(`not closed within ${Math.round(ms)} ms`)
  try {
    // A connection that failed has been closed.
    const closed = connecting.then(
      (storage) => storage.close(),
      () => {}
    )
    await within(closed, { deadline: { ms, overdue } })
  } catch (error) {
    log.warn({ err: error }, 'the database connection did not close')
  }
}
