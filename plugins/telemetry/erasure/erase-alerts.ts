// Erases a subject from alert rules: those about it go with their history, the others stay without mentioning it.

import type { Document } from 'mongodb'
import { type Mail, recipientsOf } from '../alerts/alert-mail.ts'
import type { TelemetryStorage } from '../storage/storage.ts'
import type { StoredAlert } from '../storage/stored-alert.ts'
import { type Mentions, UNMISTAKABLE } from './mentions.ts'
import { idOf, type Pseudonyms } from './pseudonym.ts'

/** Ids that a mail of a rule may go to. */
const addresseesOf = (refs: readonly string[]): readonly string[] => [
  ...refs,
  ...refs.map(idOf).filter((id) => UNMISTAKABLE.test(id))
]

/** Rules that name one of the refs. A tenant has few rules: its own are looked through. */
export const alertsOf = (
  scopes: readonly string[],
  refs: readonly string[],
  { patterns }: Mentions
): readonly Document[] => {
  const inScopes = { tenantId: { $in: [...scopes] } }
  return [
    {
      ...inScopes,
      $or: [
        { subject: { $in: [...refs] } },
        { ownerRef: { $in: [...refs] } },
        { 'deliver.mail.externalIds': { $in: [...addresseesOf(refs)] } }
      ]
    },
    ...patterns.map(($regex) => ({
      ...inScopes,
      $or: ['name', 'description', 'signal', 'ownerName', 'groups.group'].map((field) => ({
        [field]: { $regex, $options: 'i' }
      }))
    }))
  ]
}

/** Returns how many rules were removed or changed. */
export async function eraseAlerts(
  storage: TelemetryStorage,
  scopes: readonly string[],
  pseudonyms: Pseudonyms,
  mentions: Mentions
): Promise<number> {
  const { alerts, changes } = storage.collections
  const erased = new Set<string>()
  for (const filter of alertsOf(scopes, [...pseudonyms.keys()], mentions)) {
    for (const alert of await alerts.find(filter).toArray()) {
      erased.add(alert._id)
      if (alert.subject !== undefined && pseudonyms.has(alert.subject)) {
        await changes.deleteMany({ ruleId: alert._id })
        await alerts.deleteOne({ _id: alert._id })
        continue
      }
      await alerts.updateOne(
        { _id: alert._id },
        {
          $set: withoutMentions(alert, pseudonyms, mentions),
          ...(isOwnedBy(alert, pseudonyms) && { $unset: { ownerName: '', ownerRole: '' } })
        }
      )
      await eraseHistory(storage, { ruleId: alert._id }, pseudonyms, mentions)
    }
  }
  for (const filter of changesOfGroups(scopes, mentions)) {
    await eraseHistory(storage, filter, pseudonyms, mentions)
  }
  return erased.size
}

/** A rule whose owner was erased has nobody to act for, so it mails no more until someone saves it. */
const isOwnedBy = ({ ownerRef }: StoredAlert, pseudonyms: Pseudonyms): boolean =>
  ownerRef !== null && pseudonyms.has(ownerRef)

/** What changes of a rule that stays: pure. */
function withoutMentions(
  alert: StoredAlert,
  pseudonyms: Pseudonyms,
  mentions: Mentions
): Partial<StoredAlert> {
  const { deliver, ownerRef, ownerName } = alert
  const { mail, ...others } = deliver
  const gone = new Set(addresseesOf([...pseudonyms.keys()]))
  const left = mail && withoutRecipients(mail, gone)
  return {
    ownerRef: pseudonyms.get(ownerRef ?? '') ?? ownerRef,
    ...(ownerName !== undefined &&
      !isOwnedBy(alert, pseudonyms) && { ownerName: mentions.replaceIn(ownerName) }),
    name: mentions.replaceIn(alert.name),
    description: mentions.replaceIn(alert.description),
    signal: mentions.replaceInJson(alert.signal),
    ...(alert.groups !== undefined && {
      groups: alert.groups.map((one) => ({ ...one, group: mentions.replaceIn(one.group) }))
    }),
    deliver: {
      ...others,
      ...(left !== undefined && { mail: left })
    }
  }
}

function withoutRecipients(mail: Mail, gone: ReadonlySet<string>): Mail | undefined {
  const left = recipientsOf(mail).filter((one) => !gone.has(one))
  if (left.length === 0) return undefined
  return 'to' in mail ? { to: left } : { ...mail, externalIds: left }
}

/** Changes about a value that names one of the refs, whatever their rule watches now. */
export const changesOfGroups = (
  scopes: readonly string[],
  { patterns }: Mentions
): readonly Document[] =>
  patterns.map(($regex) => ({
    tenantId: { $in: [...scopes] },
    group: { $regex, $options: 'i' }
  }))

async function eraseHistory(
  { collections: { changes } }: TelemetryStorage,
  filter: Document,
  pseudonyms: Pseudonyms,
  mentions: Mentions
): Promise<void> {
  const gone = new Set(addresseesOf([...pseudonyms.keys()]))
  for await (const change of changes.find(filter)) {
    const deliveries = change.deliveries.map((one) =>
      gone.has(one.target) ? { ...one, target: 'redacted', state: 'failed' as const } : one
    )
    await changes.updateOne(
      { _id: change._id },
      {
        $set: {
          ruleName: mentions.replaceIn(change.ruleName),
          summary: mentions.replaceIn(change.summary),
          ...(change.group !== undefined && { group: mentions.replaceIn(change.group) }),
          deliveries
        }
      }
    )
  }
}
