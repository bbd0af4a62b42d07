// Facts and recipients of subjects, a batch at a time: from the host's adapter, else from its contacts.

import type { CampaignMailer } from '@keelson/mailer/contracts'
import type { FactsAdapter } from '../contracts.ts'
import type { ProgramContext } from '../program-context.ts'
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
  context: Pick<ProgramContext, 'facts' | 'mails'>,
  subjectIds: readonly string[]
): Promise<ReadonlyMap<string, SubjectFacts>> {
  const ids = [...new Set(subjectIds)]
  if (ids.length === 0) return new Map()
  const adapter = context.facts ?? contactsAsSubjects(context.mails)
  const [facts, recipients] = await Promise.all([adapter.resolve(ids), adapter.recipients(ids)])
  const firsts = [...recipients.values()].flatMap(([first]) => first ?? [])
  const contacts = await context.mails.contacts(firsts)
  return new Map(
    ids.map((id) => {
      const own = [...new Set(recipients.get(id) ?? [])].slice(0, MAX_RECIPIENTS)
      const timezone = contacts.get(own[0] ?? '')?.timezone
      return [id, { facts: facts.get(id) ?? {}, recipients: own, timezone }]
    })
  )
}

/** Without an adapter each contact is a subject: its fields are facts, and each tag as `tag:<name>`. */
function contactsAsSubjects(mails: CampaignMailer): FactsAdapter {
  return {
    async resolve(ids) {
      const contacts = await mails.contacts(ids)
      return new Map(
        [...contacts.values()].map(({ externalId, fields, tags }) => {
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
      const contacts = await mails.contacts(ids)
      // The mailer ends mails to addresses that are none; a subject without an address has no recipient at all.
      const mailable = [...contacts.values()].filter(({ email }) => email.includes('@'))
      return new Map(mailable.map(({ externalId }) => [externalId, [externalId]]))
    }
  }
}

const isFact = (value: unknown): boolean =>
  ['string', 'number', 'boolean'].includes(typeof value) || value instanceof Date
