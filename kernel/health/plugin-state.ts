// How each plugin is: what /health/plugins says, and whether its routes answer.
import type { KeelsonError } from '@keelson/sdk'

export type Phase = 'validate' | 'plan' | 'prepare' | 'register' | 'ready'

export interface PluginState {
  readonly id: string
  readonly version: string
  readonly state: 'starting' | 'ready' | 'disabled' | 'failed' | 'degraded'
  readonly phase?: Phase
  readonly code?: string
  readonly reason?: string
  readonly remedy?: string
}

/** A plugin's own state, changed in place: its routes hold on to it. */
export interface Standing {
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
  add(id: string, version: string): Standing
  of(id: string): Standing | undefined
  list(): PluginState[]
}

/** `redact` keeps secrets out of reasons, which anyone may read. */
export function createPluginStates(redact: (text: string) => string): PluginStates {
  const standings = new Map<string, Standing>()
  return {
    add(id, version) {
      const standing = createStanding(id, version, redact)
      standings.set(id, standing)
      return standing
    },
    of: (id) => standings.get(id),
    list: () => [...standings.values()].map(({ state }) => state)
  }
}

function createStanding(id: string, version: string, redact: (text: string) => string): Standing {
  const explained = (error: KeelsonError) => ({
    code: error.code,
    reason: redact(error.message.slice(0, error.message.length - error.remedy.length).trim()),
    remedy: redact(error.remedy)
  })
  const standing = {
    state: { id, version, state: 'starting' } as PluginState,
    downReason: undefined as string | undefined,
    ready() {
      if (standing.state.state === 'starting') standing.state = { id, version, state: 'ready' }
    },
    degrade(error: KeelsonError) {
      standing.state = { id, version, state: 'degraded', ...explained(error) }
    },
    disable(error: KeelsonError) {
      standing.state = { id, version, state: 'disabled', ...explained(error) }
      standing.downReason = standing.state.reason
    },
    fail(phase: Phase, error: KeelsonError) {
      standing.state = { id, version, state: 'failed', phase, ...explained(error) }
      // The whole reason may hold what the plugin's error tells; that is for the operator's page.
      standing.downReason = `failed in the phase ${phase} (${error.code})`
    }
  }
  return standing
}
