// Shapes of answers, for the output schemas of tools and for OpenAPI. Objects may hold more than is named.
import { Type } from '@keelson/sdk'

/** A text. */
export const text = Type.String()
/** A number. */
export const number = Type.Number()
/** True or false. */
export const flag = Type.Boolean()
/** An object that is described elsewhere. */
export const object = Type.Object({})
/** A list of anything. */
export const list = Type.Array(Type.Unknown())
/** A text, or null while it is not known. */
export const maybeText = Type.Union([text, Type.Null()])
/** An object, or null. */
export const maybeObject = Type.Union([object, Type.Null()])
/** Flags that may be unknown. */
export const maybeFlag = Type.Union([flag, Type.Null()])

/** A contact as answers name it. */
export const contactReferenceShape = Type.Object({ externalId: text, email: text })

/** A send. */
export const sendShape = Type.Object({
  id: text,
  templateSlug: text,
  externalId: text,
  email: maybeText,
  kind: text,
  status: text,
  provider: maybeText,
  subject: maybeText,
  errorMessage: maybeText,
  queuedAt: text,
  sentAt: maybeText,
  deliveredAt: maybeText
})

/** A run of a flow. */
export const runShape = Type.Object({
  id: text,
  flowSlug: text,
  flowVersion: number,
  externalId: text,
  status: text,
  currentStepIndex: number,
  nextActionAt: maybeText,
  enteredAt: text,
  exitedAt: maybeText,
  exitReason: maybeText,
  history: list
})

/** A check of a mail. */
export const checkShape = Type.Object({
  id: text,
  status: Type.Enum(['pass', 'warn', 'fail'])
})
