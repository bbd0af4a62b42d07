// Versioned documents of the mailer: their changes are in its audit log.
import type { ChangeEntry, Versioned, VersionedRow, VersionRow, Write } from '@keelson/sdk/versions'
import type { ClientSession } from 'mongodb'
import { audit } from './audit/audit.ts'
import type { MailerContext } from './context.ts'
import { defined } from './defined.ts'
import type { Acting } from './template-input.ts'

/** One kind of versioned document of the mailer. */
export type MailVersioned<
  Row extends VersionedRow,
  Version extends VersionRow,
  Content
> = Versioned<Row, Version, Content, MailerContext, Acting>

/** Who changes a document of the mailer, what the audit log calls it, and what is expected of the row. */
export type MailWrite = Acting & Write

/** Writes the audit entry of a change, with the change. */
export const recordChange = (
  context: MailerContext,
  entry: ChangeEntry,
  { actor, ip, userAgent, requestId, via }: Acting,
  session: ClientSession
): Promise<void> =>
  audit(context, { actor, ...defined({ ip, userAgent, requestId, via }), ...entry }, { session })
