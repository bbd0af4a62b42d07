// Which provider hands a mail over: the first name that applies, never another one in its place.
import type { MailKind } from '../contracts/mailer-core.ts'

/** The names that may apply to a mail. */
export interface ProviderNames {
  /** Of the send. */
  readonly override?: string | undefined
  /** Of its template. */
  readonly template?: string | undefined
  readonly kind: MailKind
}

/** The settings that decide for mail that names no provider. */
export interface ProviderDefaults {
  readonly defaultProvider: string
  readonly defaultTransactionalProvider: string
}

/** `unknown` holds the name that no provider has: the mail fails. */
export type ProviderChoice<P> =
  | { readonly name: string; readonly provider: P }
  | { readonly unknown: string }

/** The send's own name, else its template's, else the default of its kind. */
export function chooseProvider<P>(
  names: ProviderNames,
  defaults: ProviderDefaults,
  providers: ReadonlyMap<string, P>
): ProviderChoice<P> {
  const { defaultProvider, defaultTransactionalProvider } = defaults
  const ofKind = names.kind === 'transactional' ? defaultTransactionalProvider : defaultProvider
  const name = names.override ?? names.template ?? ofKind
  const provider = providers.get(name)
  return provider === undefined ? { unknown: name } : { name, provider }
}
