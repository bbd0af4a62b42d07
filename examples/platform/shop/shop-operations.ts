// The API of the shop, which the traffic of the demo calls: sign-ups, visits, orders.

import type { MailerCore } from '@keelson/mailer/contracts'
import { type Call, type Operation, operation, systemActor, Type } from '@keelson/sdk'
import { customerSchema, type Order, orderSchema } from './schemas.ts'

/** What the operations are served with. */
export interface ShopHost {
  readonly mailer: MailerCore
  now(): Date
}

const access = { auth: 'admin', tenants: '${adminTenants}' } as const
/** The shop reports to the mailer what customers do. */
const shop = systemActor('shop')

/** An operation that fires an event of a customer. */
const firing = (event: string, facts: { id: string; path: string; summary: string }) =>
  operation({
    ...facts,
    method: 'POST',
    access,
    effect: 'change',
    bodyLimit: 16_384,
    body: customerSchema,
    status: 202,
    answer: Type.Object({ ok: Type.Literal(true) }, { title: 'Done' }),
    async run({ body: { externalId } }, { host }: Call<ShopHost>) {
      await host.mailer.as(shop).fire(event, externalId)
      return { ok: true as const }
    }
  })

const order = operation({
  id: 'shop.orders.place',
  method: 'POST',
  path: '/orders',
  summary: 'A customer placed an order: fires order.placed and mails the receipt',
  access,
  effect: 'send',
  hints: { idempotent: true },
  bodyLimit: 65_536,
  body: orderSchema,
  status: 202,
  answer: Type.Object({ sendId: Type.String() }),
  run: ({ body }, { host }: Call<ShopHost>) => placeOrder(host, body)
})

/** The operations of the shop. */
export const shopOperations: readonly Operation<ShopHost>[] = [
  firing('user.signed_up', {
    id: 'shop.customers.signUp',
    path: '/sign-ups',
    summary: 'A customer signed up: fires user.signed_up'
  }),
  firing('app.opened', {
    id: 'shop.customers.visit',
    path: '/visits',
    summary: 'A customer opened the app: fires app.opened'
  }),
  order
]

/** The same order again fires no second event and sends no second receipt. */
async function placeOrder(host: ShopHost, order: Order) {
  const { externalId, orderId, currency, items } = order
  const mailer = host.mailer.as(shop)
  const totalCents = items.reduce((sum, { amountCents }) => sum + amountCents, 0)
  await mailer.fire(
    'order.placed',
    externalId,
    { orderId, totalCents, currency },
    `order.placed:${orderId}`
  )
  return mailer.sendOneOff({
    templateSlug: 'order-receipt',
    externalId,
    vars: { orderId, placedAt: host.now(), currency, items, totalCents },
    dedupeKey: `order-receipt:${orderId}`
  })
}
