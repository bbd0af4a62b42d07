// Facts and recipients of subjects, a batch at a time: from the host's adapter, else from its contacts.

import { withTags } from '../../audience/contacts/tags.ts'
import { isMailable } from '../../ledger/address.ts'
import type { MailerContext } from '../../ledger/context.ts'
import type { FactsAdapter } from '../../ledger/host-code.ts'
import type { Facts, FactValue } from './conditions.ts'

/** What the host says of a subject. */
export interface SubjectFacts {
  readonly facts: Facts
  readonly recipients: readonly string[]
  /** Of the first recipient. */
  readonly timezone: string | undefined
}

/** A mail goes to at most so many contacts of a subject. */
const MAX_RECIPIENTS = 20

/** By subject. A subject that the host does not know has no facts and no recipients. */
export async function gatherSubjects(
  context: MailerContext,
  subjectIds: readonly string[]
): Promise<ReadonlyMap<string, SubjectFacts>> {
  const ids = [...new Set(subjectIds)]
  if (ids.length === 0) return new Map()
  const adapter = context.config.factsAdapter ?? contactsAsSubjects(context)
  const [facts, recipients] = await Promise.all([adapter.resolve(ids), adapter.recipients(ids)])
  const firsts = [...recipients.values()].flatMap(([first]) => first ?? [])
  const contacts = await context.adapter.getBatch([...new Set(firsts)])
  return new Map(
    ids.map((id) => {
      const own = [...new Set(recipients.get(id) ?? [])].slice(0, MAX_RECIPIENTS)
      const timezone = contacts.get(own[0] ?? '')?.timezone
      return [id, { facts: facts.get(id) ?? {}, recipients: own, timezone }]
    })
  )
}

/** Without an adapter each contact is a subject: its fields are facts, and each tag as `tag:<name>`. */
function contactsAsSubjects(context: MailerContext): FactsAdapter {
  return {
    async resolve(ids) {
      const contacts = await context.adapter.getBatch([...ids])
      const tagged = await withTags(context, [...contacts.values()])
      return new Map(
        tagged.map(({ externalId, fields, tags }) => {
          const plain = Object.keys(fields).filter((name) => isFact(fields[name]))
          const own = plain.map((name) => [name, fields[name] as FactValue])
          return [
            externalId,
            Object.fromEntries([...own, ...tags.map((tag) => [`tag:${tag}`, true])])
          ]
        })
      )
    },
    async recipients(ids) {
      const contacts = await context.adapter.getBatch([...ids])
      const mailable = [...contacts.values()].filter(({ email }) => isMailable(email))
      return new Map(mailable.map(({ externalId }) => [externalId, [externalId]]))
    }
  }
}

const isFact = (value: unknown): boolean =>
  ['string', 'number', 'boolean'].includes(typeof value) || value instanceof Date
