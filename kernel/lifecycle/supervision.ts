// A host as a process of `keelson serve`: what it says to its supervisor, and how it makes place for the next one.
import { KeelsonError } from '@keelson/sdk'
import type { RevisionFailure } from '@keelson/sdk/contracts/kernel-plugins'
import { markApplied, recordFailure } from '../changes/revisions.ts'
import { serversOf, stopAccepting } from '../fastify-internals/stop-accepting.ts'
import type { Connections } from '../http/connections.ts'
import { startDeadline } from '../schedule/deadline.ts'
import { type Kernel, type OpenKernel, openKernel } from './kernel.ts'

/** How often the settings are looked at. */
const LOOK_MS = 2_000
/** How long callers with a kept-alive connection have to be told to open a new one. */
const FAREWELL_MS = 2_000
const CHECK_MS = 25

/** Ends a start; only the first failure counts. */
export function failStart(kernel: Kernel, error: unknown): void {
  if (kernel.failure !== undefined) return
  kernel.failure = error
  const message = kernel.redact(error instanceof Error ? error.message : String(error))
  const { code = 'KRN_FAILED', plugin } = KeelsonError.is(error) ? error : {}
  const failure = { code, message, ...(plugin !== undefined && { plugin }) }
  kernel.supervisor?.send({ keelson: 'failed', failure })
}

/** Ties a host to its supervisor; does nothing for a host that has none. */
export function followSupervisor(kernel: Kernel, connections: Connections): void {
  const { app, supervisor } = kernel
  if (supervisor === undefined) return
  supervisor.listen((message) => {
    switch (message.keelson) {
      case 'retire':
        return void retire(kernel, connections)
      case 'stop':
        return supervisor.end()
      case 'record':
        return void record(kernel, message.revision, message.failure)
    }
  })
  supervisor.onEnd(() => void app.close())
  app.addHook('onListen', async () => {
    supervisor.send({ keelson: 'serves', revision: kernel.revision })
    await noteRevision(openKernel(kernel))
  })
}

async function noteRevision({ storage, revision, seams, log }: OpenKernel): Promise<void> {
  if (revision === 0) return
  try {
    await markApplied(storage.db, revision, seams.clock.now())
  } catch (error) {
    log.warn({ err: error }, 'that the settings are in force could not be stored')
  }
}

/** Looks for newer settings where that is of use; a host that nothing supervises runs with what it has. */
export async function watchSettings(kernel: OpenKernel): Promise<void> {
  const { storage, revision, seams, supervisor, stop, log } = kernel
  // A process of keelson serve runs with them once it listens.
  if (supervisor === undefined) return noteRevision(kernel)
  const look = async () => {
    const newest = (await seams.newestRevision(storage.db))?.revision ?? 0
    if (newest !== revision) supervisor.send({ keelson: 'changed', revision: newest })
  }
  const next = () => {
    if (stop.signal.aborted) return
    setTimeout(() => {
      look()
        .catch((error: unknown) => log.warn({ err: error }, 'the settings could not be read'))
        .finally(next)
    }, LOOK_MS).unref()
  }
  next()
}

async function record(kernel: Kernel, revision: number, failure: RevisionFailure): Promise<void> {
  kernel.log.error(
    { revision, code: failure.code, plugin: failure.plugin },
    `the settings of revision ${revision} were not started: ${failure.message}`
  )
  try {
    const storage = await kernel.connecting
    if (storage !== undefined) await recordFailure(storage.db, revision, failure)
  } catch (error) {
    kernel.log.warn({ err: error }, 'why the settings did not start could not be stored')
  }
}

/** Takes no more connections, lets the callers of open ones go, then ends as a signal would end it. */
async function retire(kernel: Kernel, connections: Connections): Promise<void> {
  const { app, measuring } = kernel
  for (const server of serversOf(app)) {
    stopAccepting(server)
    server.prependListener('request', (_request, answer) => {
      answer.shouldKeepAlive = false
    })
  }
  connections.sendClose(measuring.inHand())
  const timeLeft = startDeadline(FAREWELL_MS)
  while (timeLeft() > 0 && connections.open() > 0) {
    await new Promise((resolve) => setTimeout(resolve, CHECK_MS))
  }
  kernel.supervisor?.end()
}
