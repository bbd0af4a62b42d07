// How each plugin is: what /health/plugins says, and whether its routes answer.
import type { KeelsonError, PluginHealth } from '@keelson/sdk'

export type Phase = NonNullable<PluginHealth['phase']>

/** The state of a plugin without what is looked up when it is read. */
export type PluginState = Omit<PluginHealth, 'checks' | 'jobs' | 'queues' | 'pages'>

/** A plugin's own state, changed in place: its routes hold on to it. */
export interface PluginStatus {
  readonly state: PluginState
  /** Why the routes answer 503; undefined while they answer themselves. */
  readonly downReason: string | undefined
  ready(): void
  /** It works, but not all of it. */
  degrade(error: KeelsonError): void
  disable(error: KeelsonError): void
  fail(phase: Phase, error: KeelsonError): void
}

export interface PluginStates {
  add(id: string, version: string): PluginStatus
  of(id: string): PluginStatus | undefined
  list(): PluginState[]
}

/** `redact` keeps secrets out of reasons. */
export function createPluginStates(redact: (text: string) => string): PluginStates {
  const statuses = new Map<string, PluginStatus>()
  return {
    add(id, version) {
      const status = createStatus(id, version, redact)
      statuses.set(id, status)
      return status
    },
    of: (id) => statuses.get(id),
    list: () => [...statuses.values()].map(({ state }) => state)
  }
}

function createStatus(id: string, version: string, redact: (text: string) => string): PluginStatus {
  const explained = (error: KeelsonError) => ({
    code: error.code,
    reason: redact(error.message.slice(0, error.message.length - error.remedy.length).trim()),
    remedy: redact(error.remedy)
  })
  const status = {
    state: { id, version, state: 'starting' } as PluginState,
    downReason: undefined as string | undefined,
    ready() {
      if (status.state.state === 'starting') status.state = { id, version, state: 'ready' }
    },
    degrade(error: KeelsonError) {
      status.state = { id, version, state: 'degraded', ...explained(error) }
    },
    disable(error: KeelsonError) {
      status.state = { id, version, state: 'disabled', ...explained(error) }
      status.downReason = status.state.reason
    },
    fail(phase: Phase, error: KeelsonError) {
      status.state = { id, version, state: 'failed', phase, ...explained(error) }
      // The whole reason may hold the plugin's own words, which are for admins.
      status.downReason = `failed in the phase ${phase} (${error.code})`
    }
  }
  return status
}
