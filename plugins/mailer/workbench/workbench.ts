// mailer.workbench/v1: its parts together, each call checked by who makes it.
import type { EventRegistry } from '../campaigns/flows/event-registry.ts'
import type { ActingWorkbench, MailerWorkbench } from '../contracts/mailer-workbench.ts'
import { errors } from '../errors.ts'
import type { MailerContext } from '../ledger/context.ts'
import { broadcastWork } from './broadcast-work.ts'
import { contactWork } from './contact-work.ts'
import { flowWork } from './flow-work.ts'
import { watchMails } from './mail-changes.ts'
import { mailWork } from './mail-work.ts'
import { stateWork } from './state-work.ts'
import { templateWork } from './template-work.ts'

/** What a workbench is made from. */
export interface WorkbenchParts {
  readonly context: MailerContext
  readonly events: EventRegistry
  /** Runs every part of the tick once. */
  runTick(signal: AbortSignal): Promise<void>
}

type Act = (...args: readonly unknown[]) => Promise<unknown>

/** The workbench of one mailer, and how it is closed. */
export function createWorkbench({ context, events, runTick }: WorkbenchParts): {
  readonly workbench: MailerWorkbench
  close(): Promise<void>
} {
  const changes = watchMails(context)
  const shared = {
    ...broadcastWork(context),
    ...templateWork(context),
    ...stateWork(context, runTick)
  }
  const workbench: MailerWorkbench = {
    as(actor) {
      const acts = {
        ...shared,
        ...contactWork(context, events, actor),
        ...flowWork(context, actor),
        ...mailWork(context, changes, actor)
      }
      const asked = Object.entries(acts).map(([name, act]) => [
        name,
        async (...args: readonly unknown[]) => {
          if (!(await context.admits(actor)))
            throw errors.MLR_ACTOR_FORBIDDEN({ actor: actor.name })
          return (act as Act)(...args)
        }
      ])
      return Object.fromEntries(asked) as ActingWorkbench
    }
  }
  return { workbench, close: () => changes.close() }
}
