// One token, one body: a signature that covers its token alone is bound to the body it came with first.
import { hash } from 'node:crypto'
import { insertNew } from '@keelson/sdk'
import type { WebhookToken } from '../../contracts/mailer-provider.ts'
import type { MailerContext } from '../../ledger/context.ts'

/** Whether no other body came with the token before. The same one may: vendors repeat what was not answered. */
export async function isFirstBody(
  { collections }: Pick<MailerContext, 'collections'>,
  provider: string,
  { token, until }: WebhookToken,
  rawBody: Buffer
): Promise<boolean> {
  const { webhookTokens } = collections
  const _id = hash('sha256', `${provider}\n${token}`)
  const body = hash('sha256', rawBody)
  if ((await insertNew(webhookTokens, [{ _id, body, expiresAt: until }])) === 1) return true
  const known = await webhookTokens.findOne({ _id })
  return known === null || known.body === body
}
