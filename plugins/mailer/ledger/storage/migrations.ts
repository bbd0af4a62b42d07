// What is changed once in stored rows, when a version needs them in another form.
import { DURABLE, type MigrationHost } from '@keelson/sdk'
import type { Document } from 'mongodb'
import { NO_ARM } from '../send-row.ts'

/** Mails of programs, of the time when these were part of the mailer. */
const OF_PROGRAMS = { 'program.slug': { $exists: true } }

/** The code of each migration that plugin.json declares, by its id. */
export const migrations = {
  async 'campaigns-of-sends'({ collection, log }: MigrationHost): Promise<void> {
    const ref = {
      runId: '$program.runId',
      actionId: '$program.actionId',
      subjectId: '$program.subjectId'
    }
    const campaign = { kind: { $literal: 'program' }, slug: '$program.slug', ref }
    const { modifiedCount } = await collection<Document>('mailer_sends').updateMany(
      OF_PROGRAMS,
      [{ $set: { campaign } }, { $unset: 'program' }],
      DURABLE
    )
    log.info({ modifiedCount }, 'mailer: mails of programs say their campaign')
  },
  async 'arms-of-sends'({ collection, log }: MigrationHost): Promise<void> {
    const { modifiedCount } = await collection<Document>('mailer_sends').updateMany(
      { broadcastId: { $exists: true }, arm: { $exists: false } },
      { $set: { arm: NO_ARM } },
      DURABLE
    )
    log.info({ modifiedCount }, 'mailer: mails of broadcasts have an arm')
  },
  async 'domains-of-sends'({ collection, log }: MigrationHost): Promise<void> {
    const toDomain = { $last: { $split: ['$emailAtSend', '@'] } }
    const { modifiedCount } = await collection<Document>('mailer_sends').updateMany(
      { emailAtSend: { $type: 'string' }, toDomain: { $exists: false } },
      [{ $set: { toDomain } }],
      DURABLE
    )
    log.info({ modifiedCount }, 'mailer: mails say the domain of their address')
  }
}
