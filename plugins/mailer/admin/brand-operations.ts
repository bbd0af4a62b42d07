// The looks of senders in the admin API.
import { type Call, type Operation, operation, Type } from '@keelson/sdk'
import {
  brandSchema,
  listBrands,
  senderBrandSchema,
  setBrand
} from '../content/brands/keep-brands.ts'
import { actingOf } from '../ledger/acting.ts'
import { mailRefusals as refusals } from '../ledger/refusals.ts'
import { type AdminHost, access, MAIL_API, missing } from './admin-operation.ts'

const list = operation({
  id: 'mailer.brands.list',
  method: 'GET',
  base: MAIL_API,
  path: '/brands',
  summary: 'How the mails of each sender look',
  access: access.read,
  effect: 'read',
  answer: Type.Array(senderBrandSchema),
  run: (_input, { host }: Call<AdminHost>) => listBrands(host.context)
})

const set = operation({
  id: 'mailer.brands.set',
  method: 'PUT',
  base: MAIL_API,
  path: '/brands/:sender',
  summary: 'Sets how the mails of a sender look, from their next publish on',
  access: access.change,
  effect: 'change',
  hints: { idempotent: true },
  params: Type.Object({ sender: Type.String({ pattern: '^[a-z0-9.-]{1,253}$' }) }),
  body: brandSchema,
  answer: senderBrandSchema,
  errors: refusals.only('bad_id', 'not_found'),
  run: async ({ params: { sender }, body }, { host, actor }: Call<AdminHost>) =>
    (await setBrand(host.context, { sender, brand: body }, actingOf(actor))) ?? missing('sender')
})

/** The operations about looks. */
export const brandOperations: readonly Operation<AdminHost>[] = [list, set]
