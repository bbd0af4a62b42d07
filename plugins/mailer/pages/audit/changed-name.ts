// What an entry of the audit log changed, in a few characters. Pure.

/** The part of an entry that names what was changed. */
export interface ChangedThing {
  readonly resource: {
    readonly collection?: string | undefined
    readonly slug?: string | undefined
    readonly id?: string | undefined
  }
  readonly names?: Readonly<Record<string, string | undefined>> | undefined
  readonly before?: unknown
  readonly after?: unknown
}

const HASH = /[0-9a-f]{32,}/g

const emailOf = (state: unknown): string | undefined => {
  const { email } = (state ?? {}) as { readonly email?: unknown }
  return typeof email === 'string' ? email : undefined
}

/** A name of several parts, as `acme.test|marketing`, without the code that leads it. */
const withoutCodes = (name: string): string => {
  const parts = name.split('|')
  const named = parts.length > 1 ? parts.filter((part) => !CODE.test(part)) : parts
  return named.length === 0 ? name : named.join(' · ')
}

const CODE = /^[a-z]+(_[a-z]+)+$/

const nameOf = (state: unknown): string | undefined => {
  const { name } = (state ?? {}) as { readonly name?: unknown }
  return typeof name === 'string' ? name : undefined
}

/** Its name, else its slug; without one its address, else its id with hashes cut. Empty for a whole collection. */
export function changedName({ resource, names = {}, before, after }: ChangedThing): string {
  const [named = nameOf(after) ?? nameOf(before)] = Object.values(names)
  if (named !== undefined) return named
  const { slug, id = '' } = resource
  if (slug !== undefined) return withoutCodes(slug)
  const name = emailOf(after) ?? emailOf(before) ?? id
  return withoutCodes(name).replace(HASH, (hash) => `${hash.slice(0, 8)}…`)
}
