// The outcome of reading untrusted input: a value, or the sentence that is answered with 400.

export interface Accepted<T> {
  readonly ok: true
  readonly value: T
}

export interface Refused {
  readonly ok: false
  /** Answered verbatim as `error`. Names the parameter. */
  readonly error: string
}

export type Parsed<T> = Accepted<T> | Refused

type ValueOf<P> = P extends Accepted<infer T> ? T : never

export const accepted = <T>(value: T): Accepted<T> => ({ ok: true, value })

export const refused = (error: string): Refused => ({ ok: false, error })

/** All values by name, or the first refusal in the order given. */
export function allOf<P extends Readonly<Record<string, Parsed<unknown>>>>(
  parts: P
): Parsed<{ readonly [Name in keyof P]: ValueOf<P[Name]> }> {
  const values: Record<string, unknown> = {}
  for (const [name, part] of Object.entries(parts)) {
    if (!part.ok) return part
    values[name] = part.value
  }
  return accepted(values as { readonly [Name in keyof P]: ValueOf<P[Name]> })
}
