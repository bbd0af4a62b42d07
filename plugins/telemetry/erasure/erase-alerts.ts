// Erases a subject from alert rules: those about it go with their history, those it made get a pseudonym.
import type { StoredAlert } from '../alerts/stored.ts'
import type { TelemetryStorage } from '../storage/storage.ts'
import type { Pseudonyms } from './redact-row.ts'

/** Rules that name one of the refs. A tenant has few rules: its own are looked through. */
export const alertsOf = (scopes: readonly string[], refs: readonly string[]) => ({
  tenantId: { $in: [...scopes] },
  $or: [{ subject: { $in: [...refs] } }, { ownerRef: { $in: [...refs] } }]
})

/** Returns how many rules were removed or changed. */
export async function eraseAlerts(
  { collections: { alerts, changes } }: TelemetryStorage,
  scopes: readonly string[],
  pseudonyms: Pseudonyms
): Promise<number> {
  const found = await alerts.find(alertsOf(scopes, [...pseudonyms.keys()])).toArray()
  const isAbout = ({ subject }: StoredAlert) => subject !== undefined && pseudonyms.has(subject)
  for (const alert of found) {
    if (isAbout(alert)) {
      await changes.deleteMany({ ruleId: alert._id })
      await alerts.deleteOne({ _id: alert._id })
    } else {
      const ownerRef = pseudonyms.get(alert.ownerRef ?? '') ?? alert.ownerRef
      await alerts.updateOne({ _id: alert._id }, { $set: { ownerRef } })
    }
  }
  return found.length
}
