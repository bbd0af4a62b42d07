// mailer.core/v1 in the name of an actor: the right is checked at each act, and the audit log names who acted.
import type { Actor } from '@keelson/sdk'
import type { ActedEntry } from '../contracts/mailer-audit.ts'
import type { ActingMailer, MailerActs, OneOffMail } from '../contracts/mailer-core.ts'
import { errors } from '../errors.ts'
import { actingOf } from '../ledger/acting.ts'
import { audit } from '../ledger/audit/audit.ts'
import type { MailerContext } from '../ledger/context.ts'

type Act = (...args: readonly unknown[]) => Promise<unknown>

/** Acts of a plugin for itself are its own log; what a person or a token does is in that of the mailer. */
const isNamed = ({ system }: Actor): boolean => system === undefined

/** The acts, each checked and recorded. */
export function actingMailer(context: MailerContext, acts: MailerActs, actor: Actor): ActingMailer {
  const demand = async (): Promise<void> => {
    if (!(await context.admits(actor))) throw errors.MLR_ACTOR_FORBIDDEN({ actor: actor.name })
  }
  const record = (entry: ActedEntry) => audit(context, { ...entry, ...actingOf(actor) })
  const acting = Object.entries(acts).map(([name, act]: readonly [string, unknown]) => [
    name,
    async (...args: readonly unknown[]) => {
      await demand()
      const result = await (act as Act)(...args)
      if (isNamed(actor)) await record(entryOf(context, name, args, result))
      return result
    }
  ])
  return {
    ...(Object.fromEntries(acting) as Omit<MailerActs, 'audit'>),
    allowed: async () => context.admits(actor),
    async audit(entry) {
      await demand()
      await record(entry)
    }
  }
}

function entryOf(
  { collections }: MailerContext,
  name: string,
  args: readonly unknown[],
  result: unknown
): ActedEntry {
  if (name !== 'sendOneOff') return { action: `mailer.${name}`, resource: { collection: 'mailer' } }
  const { templateSlug, externalId } = args[0] as OneOffMail
  const { sendId } = result as { readonly sendId: string }
  return {
    action: 'mailer.send',
    resource: { collection: collections.sends.collectionName, id: sendId },
    after: { templateSlug, externalId },
    dedupeKey: `send:${sendId}`
  }
}
