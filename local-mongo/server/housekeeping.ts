// What the server does by the clock: expire documents, idle cursors, sessions, transactions, snapshots.
import type { Services } from '../commands/command.ts'

const TICK_MS = 1_000
const SWEEP_EVERY_TICKS = 5

/** The running housekeeping. */
export interface Housekeeping {
  /** Ends a sweep that is at work; resolves when it has ended. */
  stop(): Promise<void>
}

/** Starts it; `endSessions` receives the sessions that have timed out. */
export function startHousekeeping(
  services: Pick<
    Services,
    'engine' | 'parameters' | 'cursors' | 'sessions' | 'snapshots' | 'now' | 'log'
  >,
  endSessions: (ids: readonly string[]) => void
): Housekeeping {
  let ticks = 0
  let sweep: Promise<void> = Promise.resolve()
  const stopping = new AbortController()
  const tick = (): void => {
    const now = services.now()
    services.snapshots.endIdle(now)
    services.cursors.endIdle(now)
    services.engine.transactions.abortIdle(new Date(now))
    const expired = services.sessions.takeExpired(now)
    if (expired.length > 0) endSessions(expired)
    if (ticks++ % SWEEP_EVERY_TICKS === 0) sweep = runSweep(services, now, stopping.signal)
  }
  const timer = setInterval(() => {
    try {
      tick()
    } catch (cause) {
      services.log({ level: 'error', message: 'housekeeping failed', reason: String(cause) })
    }
  }, TICK_MS)
  timer.unref()
  return {
    async stop() {
      clearInterval(timer)
      stopping.abort()
      await sweep
    }
  }
}

async function runSweep(
  { engine, parameters, log }: Pick<Services, 'engine' | 'parameters' | 'log'>,
  now: number,
  signal: AbortSignal
): Promise<void> {
  try {
    await engine.sweepExpired(new Date(now), { signal, ttl: parameters.ttlMonitorEnabled })
  } catch (cause) {
    log({ level: 'error', message: 'expiring documents failed', reason: String(cause) })
  }
}
