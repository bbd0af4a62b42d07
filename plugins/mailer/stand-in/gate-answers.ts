// What send gates and publish gates say together, as the mailer asks them: the first refusal wins.
import type {
  GatedSend,
  PublishContext,
  PublishGate,
  PublishRefusal,
  SendGate,
  SendGateContext,
  SendHold,
  TemplateContent
} from '../contracts/index.ts'

/** The first hold, with the name of its gate. A gate that throws holds. */
export async function holdOf(
  gates: readonly SendGate[],
  mail: GatedSend & { readonly count: number },
  context: SendGateContext
): Promise<(SendHold & { readonly gate: string }) | null> {
  for (const gate of gates) {
    if (!(gate.kinds ?? ['marketing']).includes(mail.kind)) continue
    const hold = await answerOf(gate.name, async () => {
      const { count, ...send } = mail
      const whole = (await gate.checkBatch?.({ ...batchOf(send), count }, context)) ?? null
      return whole ?? (await gate.check?.(send, context)) ?? null
    })
    if (hold !== null) return { ...hold, gate: gate.name }
  }
  return null
}

const batchOf = ({ kind, senderDomain, provider, templateSlug, ...send }: GatedSend) => ({
  kind,
  senderDomain,
  provider,
  templateSlug,
  broadcastSlug: send.broadcastSlug,
  flowSlug: send.flowSlug
})

/** The first refusal. A gate that throws refuses. */
export async function refusalOf(
  gates: readonly PublishGate[],
  template: TemplateContent,
  context: PublishContext
): Promise<PublishRefusal | null> {
  for (const gate of gates) {
    const refusal = await answerOf(gate.name, () => gate.check(template, context))
    if (refusal !== null) return refusal
  }
  return null
}

/** The keys that the gates add to the answer of a publish. */
export async function reportOf(
  gates: readonly PublishGate[],
  template: TemplateContent,
  context: PublishContext
): Promise<Readonly<Record<string, unknown>>> {
  const reports = await Promise.all(
    gates.map(async (gate) => gate.report?.(template, context) ?? {})
  )
  return Object.assign({}, ...reports)
}

async function answerOf<T>(gate: string, ask: () => T | Promise<T>) {
  try {
    return await ask()
  } catch (error) {
    const { message } = error as Error
    return { error: 'gate_failed', message: `The gate ${gate} failed: ${message}` }
  }
}
