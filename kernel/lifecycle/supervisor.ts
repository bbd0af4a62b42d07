// The way from a host to `keelson serve`, where that started its process.
import cluster from 'node:cluster'
import type { HostMessage, SupervisorMessage } from '../serve/messages.ts'

/** What a host knows of its supervisor. */
export interface Supervisor {
  send(message: HostMessage): void
  listen(act: (message: SupervisorMessage) => void): void
  /** Calls `close` when the process is asked to end, however often that is. */
  onEnd(close: () => void): void
  /** Asks this process to end, as a signal from outside does: the program may have handlers of its own. */
  end(): void
  /** Ends the connection, so that the process can end. */
  leave(): void
}

/** Undefined for a process that `keelson serve` did not start. */
export function findSupervisor(
  env: Readonly<Record<string, string | undefined>>
): Supervisor | undefined {
  const { worker } = cluster
  if (worker === undefined || env['KEELSON_SERVED'] !== '1') return undefined
  let isEnding = false
  return {
    send: (message) => void (worker.isConnected() && worker.send(message)),
    listen: (act) => {
      worker.on('message', (message: SupervisorMessage | undefined) => {
        if (typeof message?.keelson === 'string') act(message)
      })
    },
    onEnd(close) {
      // These handlers stay: a second signal would otherwise kill a process that is ending.
      for (const signal of ['SIGTERM', 'SIGINT'] as const) {
        process.on(signal, () => {
          isEnding = true
          close()
        })
      }
    },
    end() {
      if (!isEnding) process.kill(process.pid, 'SIGTERM')
    },
    leave: () => void (worker.isConnected() && worker.disconnect())
  }
}
