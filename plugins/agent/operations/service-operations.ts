// The mailer as a whole: run its tick.
import { answer, type Operation } from './operation.ts'

/** `/tick`. */
export const serviceOperations: readonly Operation[] = [
  {
    tool: 'run_tick',
    method: 'POST',
    path: '/tick',
    summary: 'Runs triggers, due broadcasts, sweeps and the tasks of plugins at once',
    scope: 'mail:write',
    run: async ({ agent }) => {
      const startedAt = performance.now()
      await agent.tick.run(agent.signal)
      return answer({ ok: true, ms: Math.round(performance.now() - startedAt) })
    }
  }
]
