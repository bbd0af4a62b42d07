// Asks the gates that plugins put before a dispatch: one that fails or takes too long holds the mail.
import { within } from '@keelson/sdk'
import type { MailKind } from '../../contracts/mailer-core.ts'
import type {
  GateAnswer,
  GatedSend,
  SendBatch,
  SendGate,
  SendHold
} from '../../contracts/mailer-send-gate.ts'
import type { MailerContext } from '../../ledger/context.ts'
import { messageOf } from '../../ledger/send-update.ts'

/** A hold, with the gate that asks for it. */
export interface NamedHold extends SendHold {
  readonly gate: string
}

const TIMEOUT_MS = 5_000
const DEFAULT_KINDS: readonly MailKind[] = ['marketing']

type Asking = (gate: SendGate, signal: AbortSignal) => GateAnswer | undefined

/** Asks all gates about a batch; undefined lets it go. */
export function holdOfBatch(
  context: MailerContext,
  batch: SendBatch
): Promise<NamedHold | undefined> {
  return firstHold(context, batch.kind, (gate, signal) =>
    gate.checkBatch?.(batch, gateContext(context, signal))
  )
}

/** Asks all gates about one rendered mail; undefined lets it go. */
export function holdOfMail(
  context: MailerContext,
  mail: GatedSend
): Promise<NamedHold | undefined> {
  return firstHold(context, mail.kind, (gate, signal) =>
    gate.check?.(mail, gateContext(context, signal))
  )
}

/** Whether any gate looks at single mails of a kind. */
export function hasMailGates({ extensions }: MailerContext, kind: MailKind): boolean {
  return extensions.sendGates().some((gate) => gate.check !== undefined && concerns(gate, kind))
}

async function firstHold(
  { extensions, log }: MailerContext,
  kind: MailKind,
  ask: Asking
): Promise<NamedHold | undefined> {
  for (const gate of extensions.sendGates()) {
    if (!concerns(gate, kind)) continue
    try {
      const hold = await answerOf(gate, ask)
      if (hold) return { ...hold, gate: gate.name }
    } catch (error) {
      log.error({ err: error, gate: gate.name }, 'mailer: a send gate failed and holds mail')
      const message = `The gate ${gate.name} failed: ${messageOf(error)}`
      return { error: 'gate_failed', message, gate: gate.name }
    }
  }
  return undefined
}

async function answerOf(gate: SendGate, ask: Asking): Promise<SendHold | null | undefined> {
  const controller = new AbortController()
  const answer = ask(gate, controller.signal)
  // Most gates answer at once: a timer for each mail would cost more than the question.
  if (!(answer instanceof Promise)) return answer
  const overdue = () => new Error(`it did not answer within ${TIMEOUT_MS / 1000} s`)
  try {
    return await within(answer, { deadline: { ms: TIMEOUT_MS, overdue } })
  } finally {
    controller.abort()
  }
}

function gateContext({ clock, core }: MailerContext, signal: AbortSignal) {
  return { now: clock.now(), signal, mailer: core }
}

const concerns = ({ kinds = DEFAULT_KINDS }: SendGate, kind: MailKind): boolean =>
  kinds.includes(kind)
