// What the operations share: who may call them, ids in addresses, the bounds of lists.
import { type Access, Type } from '@keelson/sdk'

/** Administrators of the platform, and of the tenants that the config names. */
export const administrator = {
  auth: 'admin',
  tenants: '${adminTenants}'
} as const satisfies Access

/** An id in an address, a query or a body. */
export const id = Type.String({ minLength: 1, maxLength: 2048 })

/** How many rows a list answers: a larger limit counts as `most`. */
export const limitParameter = (most: number, usual: number) =>
  Type.Optional(
    Type.Integer({ minimum: 1, default: usual, description: `At most ${most} are answered.` })
  )

export const skipParameter = Type.Optional(Type.Integer({ minimum: 0, default: 0 }))
