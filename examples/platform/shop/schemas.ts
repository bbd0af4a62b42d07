// Bodies of the shop's requests: customers who sign up, come back and buy.
import { closed, type Static, Type } from '@keelson/sdk'

const externalId = Type.String({ pattern: '^u[0-9]{1,9}$', description: 'A customer, as u7.' })

/** A customer who signed up or opened the app. */
export const customerSchema = Type.Object({ externalId }, closed)

/** An order. */
export const orderSchema = Type.Object(
  {
    externalId,
    orderId: Type.String({
      pattern: '^[A-Za-z0-9-]{1,64}$',
      description: 'The same order again changes nothing.'
    }),
    currency: Type.String({ pattern: '^[A-Z]{3}$', default: 'USD' }),
    items: Type.Array(
      Type.Object(
        {
          name: Type.String({ minLength: 1, maxLength: 200 }),
          quantity: Type.Integer({ minimum: 1, maximum: 1000 }),
          amountCents: Type.Integer({ minimum: 0, maximum: 1_000_000_00 })
        },
        closed
      ),
      { minItems: 1, maxItems: 50 }
    )
  },
  closed
)

/** An order. */
export type Order = Static<typeof orderSchema>
