// Asks the gates that plugins put before a publish: one that fails or takes too long refuses it.
import { within } from '@keelson/sdk'
import type { TemplateContent } from '../../contracts/mailer-core.ts'
import type {
  PublishContext,
  PublishGate,
  PublishRefusal
} from '../../contracts/mailer-publish-gate.ts'
import type { MailerContext } from '../../ledger/context.ts'

const TIMEOUT_MS = 10_000

/** A publish that gates are asked about. */
export interface GatedPublish {
  readonly template: TemplateContent
  readonly actor: string
  /** The body of the publish request. */
  readonly options: Readonly<Record<string, unknown>>
  /** Milliseconds per gate. Default 10,000. */
  readonly timeoutMs?: number
}

/** The first refusal; undefined when all gates let the template go. */
export async function publishRefusal(
  context: MailerContext,
  publish: GatedPublish
): Promise<PublishRefusal | undefined> {
  for (const gate of context.extensions.publishGates()) {
    try {
      const refusal = await asked(context, publish, (given) => gate.check(publish.template, given))
      if (refusal) return refusal
    } catch (error) {
      const message = `The gate ${gate.name} failed: ${textOf(error)}`
      return { error: 'gate_failed', message, gate: gate.name }
    }
  }
  return undefined
}

/** What gates add to the answer of a publish that went through. */
export async function publishReports(
  context: MailerContext,
  publish: GatedPublish
): Promise<Readonly<Record<string, unknown>>> {
  const added: Record<string, unknown> = {}
  for (const gate of context.extensions.publishGates()) {
    try {
      Object.assign(added, await reportOf(gate, context, publish))
    } catch (error) {
      context.log.error({ err: error, gate: gate.name }, 'mailer: a publish gate reported nothing')
    }
  }
  return added
}

const reportOf = (gate: PublishGate, context: MailerContext, publish: GatedPublish) =>
  gate.report === undefined
    ? {}
    : asked(context, publish, (given) => gate.report?.(publish.template, given))

async function asked<T>(
  { clock, core }: MailerContext,
  { actor, options, timeoutMs: ms = TIMEOUT_MS }: GatedPublish,
  ask: (given: PublishContext) => T | Promise<T>
): Promise<T> {
  const controller = new AbortController()
  const given = { now: clock.now(), signal: controller.signal, actor, options, mailer: core }
  const overdue = () => new Error(`it did not answer within ${ms / 1000} s`)
  try {
    return await within(ask(given), { deadline: { ms, overdue } })
  } finally {
    controller.abort()
  }
}

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
