// mailer.core/v1 in the name of an actor: the right is checked at each act, and the audit log names who acted.
import type { Actor } from '@keelson/sdk'
import type { ClientSession } from 'mongodb'
import type { ActedEntry, MailAuditEntry } from '../contracts/mailer-audit.ts'
import type { ActingMailer, OneOffMail } from '../contracts/mailer-core.ts'
import { errors } from '../errors.ts'
import { entryOf } from '../ledger/acting.ts'
import { audit } from '../ledger/audit/audit.ts'
import type { MailerContext } from '../ledger/context.ts'

/** The audit log takes no longer ones. */
const ID_CHARACTERS = 1024

interface WithSession {
  readonly session?: ClientSession
}

type Act = (...args: readonly unknown[]) => Promise<unknown>

/** What changes or sends, without a check of who acts: for the code of a host, which decides itself. */
export interface MailerActs extends Omit<ActingMailer, 'allowed' | 'audit'> {
  /** Appends to the audit log. */
  audit(entry: MailAuditEntry, options?: WithSession): Promise<void>
}

/** Acts of a plugin for itself are its own log; what a person or a token does is in that of the mailer. */
const isNamed = ({ system }: Actor): boolean => system === undefined

/** The acts, each checked and recorded. */
export function actingMailer(context: MailerContext, acts: MailerActs, actor: Actor): ActingMailer {
  const demand = async (): Promise<void> => {
    if (!(await context.admits(actor))) throw errors.MLR_ACTOR_FORBIDDEN({ actor: actor.name })
  }
  const record = (entry: ActedEntry, options: WithSession = {}) =>
    audit(context, { ...entry, ...entryOf(actor) }, options)
  const acting = Object.entries(acts).map(([name, act]: readonly [string, unknown]) => [
    name,
    async (...args: readonly unknown[]) => {
      await demand()
      const result = await (act as Act)(...args)
      if (isNamed(actor)) await record(actEntry(context, name, args, result))
      return result
    }
  ])
  return {
    ...(Object.fromEntries(acting) as Omit<MailerActs, 'audit'>),
    allowed: async (permission) => context.admits(actor, permission),
    async audit(entry, options) {
      await demand()
      await record(entry, options)
    }
  }
}

function actEntry(
  { collections }: MailerContext,
  name: string,
  args: readonly unknown[],
  result: unknown
): ActedEntry {
  if (name !== 'sendOneOff') {
    const id = concerned(args)
    return {
      action: `mailer.${name}`,
      resource: { collection: 'mailer', ...(id !== undefined && { id }) }
    }
  }
  const { templateSlug, externalId } = args[0] as OneOffMail
  const { sendId } = result as { readonly sendId: string }
  return {
    action: 'mailer.send',
    resource: { collection: collections.sends.collectionName, id: sendId },
    after: { templateSlug, externalId },
    dedupeKey: `send:${sendId}`
  }
}

/** What an act names first: the event, the contact, the address, or the key of what it takes. */
function concerned(args: readonly unknown[]): string | undefined {
  const named = args.find((arg) => typeof arg === 'string')
  if (typeof named === 'string') return named.slice(0, ID_CHARACTERS)
  const { externalId, to, feedbackId, by } = (args[0] ?? {}) as Readonly<Record<string, unknown>>
  const id = externalId ?? to ?? feedbackId ?? by
  return typeof id === 'string' ? id.slice(0, ID_CHARACTERS) : undefined
}
