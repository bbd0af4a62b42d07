// What schemas of all packages are made of, beside `Type`.
import { Type } from './typebox.ts'

/** Options of an object: a key that it does not name is refused. */
export const closed = { additionalProperties: false } as const

/** A key that may be missing. */
export const optional = Type.Optional

/** Any text. */
export const text = Type.String()
