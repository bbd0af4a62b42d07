// The mailer as a whole: run its tick.
import { type Call, type Operation, operation, Type } from '@keelson/sdk'
import { type AgentHost, access } from '../agent-host.ts'
import { flag, integer } from '../answers/shapes.ts'

const runTick = operation({
  id: 'agent.tick.run',
  method: 'POST',
  path: '/tick',
  summary: 'Runs triggers, due broadcasts, sweeps and the tasks of plugins at once',
  tool: 'run_tick',
  agent: true,
  access: access.write,
  effect: 'send',
  hints: { idempotent: true, mails: true },
  answer: Type.Object({ ok: flag, ms: integer }),
  async run(_input, { host, actor, signal }: Call<AgentHost>) {
    const startedAt = performance.now()
    await host.workbench.as(actor).runTick(signal)
    return { ok: true, ms: Math.round(performance.now() - startedAt) }
  }
})

/** `/tick`. */
export const serviceOperations: readonly Operation<AgentHost>[] = [runTick]
