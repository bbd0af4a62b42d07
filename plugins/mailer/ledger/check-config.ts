// Checks the configuration of a mailer, fills in what is left out, and names what does not fit.
import { butIs, schemaFault } from '@keelson/sdk'
import { errors } from '../errors.ts'
import { ADAPTER_METHODS } from './adapter.ts'
import { DEFAULTS, type MailerConfig, mailerSchema } from './schema.ts'

/** Roots of a template's context that the variables of a host must not take. */
export const RESERVED_ROOTS = [
  'contact',
  'vars',
  'event',
  'unsubscribeUrl',
  'preferencesUrl',
  'preferenceCenterUrl',
  'viewInBrowserUrl',
  'senderAddress'
] as const

type Settings = Omit<MailerConfig, keyof typeof DEFAULTS | 'queue' | 'broadcastStopRules'>

/** A configuration with every default in place. */
export type ResolvedConfig = Settings & {
  readonly [key in Exclude<
    keyof typeof DEFAULTS,
    'stopRules' | 'pauseDays' | 'deferralMaxHours'
  >]: (typeof DEFAULTS)[key] extends number ? number : string
} & {
  readonly queue: { readonly driver: 'leased' | 'noop' }
  readonly defaultProvider: string
  readonly defaultTransactionalProvider: string
  readonly requireDoubleOptIn: boolean
  readonly requireSignedTrackingUrls: boolean
  readonly trackOpens: boolean
  readonly trackClicks: boolean
  readonly broadcastStopRules: {
    readonly enabled: boolean
    readonly hardBounceRatePct: number
    readonly complaintRatePct: number
    readonly unsubscribeRatePct: number
    readonly minSample: number
  }
}

/** @throws MLR_CONFIG_INVALID, naming path and value. Secrets are named, never shown. */
export function resolveConfig(config: unknown): ResolvedConfig {
  const checked = checkedShape(config)
  checkDatabase(checked)
  checkProviderNames(checked)
  return withDefaults(checked)
}

/**
 * The same where the kernel has the database and other plugins bring providers: when those are there,
 * `checkProviderNames` must follow.
 *
 * @throws MLR_CONFIG_INVALID
 */
export function resolveKernelConfig(config: Omit<MailerConfig, 'db' | 'mongo'>): ResolvedConfig {
  return withDefaults(checkedShape(config))
}

function checkedShape(config: unknown): MailerConfig {
  if (typeof config !== 'object' || config === null || Array.isArray(config)) {
    throw invalid('config', 'must be an object')
  }
  const fault = schemaFault(mailerSchema, config)
  if (fault !== undefined) throw errors.MLR_CONFIG_INVALID({ ...fault })
  const checked = config as MailerConfig
  checkProviders(checked)
  checkAdapter(checked)
  checkVariables(checked)
  checkCategories(checked)
  return checked
}

function withDefaults(given: MailerConfig): ResolvedConfig {
  // A setting that is undefined is one that is left out.
  const entries = Object.entries(given).filter(([, value]) => value !== undefined)
  const config = Object.fromEntries(entries) as MailerConfig
  const { stopRules, pauseDays: _days, deferralMaxHours: _hours, ...plain } = DEFAULTS
  const [first = ''] = Object.keys(config.providers)
  const { defaultProvider = first } = config
  return {
    requireDoubleOptIn: false,
    requireSignedTrackingUrls: false,
    trackOpens: true,
    trackClicks: true,
    defaultTransactionalProvider: defaultProvider,
    ...plain,
    ...config,
    publicUrl: config.publicUrl.replace(/\/+$/, ''),
    defaultProvider,
    queue: { driver: 'leased', ...config.queue },
    broadcastStopRules: { ...stopRules, ...config.broadcastStopRules }
  }
}

function invalid(path: string, problem: string): Error {
  return errors.MLR_CONFIG_INVALID({ path, problem })
}

function checkDatabase({ db, mongo }: MailerConfig): void {
  if (db === undefined && mongo === undefined) throw invalid('db', 'or mongo must be given')
  if (db !== undefined && mongo !== undefined)
    throw invalid('mongo', 'cannot be given together with db')
}

function checkProviders({ providers }: MailerConfig): void {
  for (const [name, provider] of Object.entries(providers)) {
    const lacks = ['send', 'verifyWebhook', 'parseWebhookEvents'].find(
      (method) => !isFunctionOf(provider, method)
    )
    if (lacks !== undefined) throw invalid(`providers.${name}`, `must have the method ${lacks}`)
  }
}

/**
 * Whether the settings name providers that are there.
 *
 * @throws MLR_CONFIG_INVALID
 */
export function checkProviderNames(config: MailerConfig): void {
  const { providers } = config
  if (Object.keys(providers).length === 0) throw invalid('providers', 'must name at least one')
  for (const key of ['defaultProvider', 'defaultTransactionalProvider'] as const) {
    const name = config[key]
    if (name === undefined || Object.hasOwn(providers, name)) continue
    const known = Object.keys(providers).join(', ')
    throw invalid(key, butIs(`must be one of providers (${known})`, name))
  }
  checkFallbacks(config)
}

function checkFallbacks({ providers, providerFallbacks = {} }: MailerConfig): void {
  const known = Object.keys(providers).join(', ')
  for (const [from, to] of Object.entries(providerFallbacks)) {
    const path = `providerFallbacks.${from}`
    const name = [from, to].find((name) => !Object.hasOwn(providers, name))
    if (name !== undefined) throw invalid(path, butIs(`must name providers (${known})`, name))
    if (from === to) throw invalid(path, 'must name another provider')
  }
}

function checkAdapter({ adapter }: MailerConfig): void {
  if (typeof adapter === 'function') return
  const lacks = ADAPTER_METHODS.find((method) => !isFunctionOf(adapter, method))
  if (lacks !== undefined) throw invalid('adapter', `must have the method ${lacks}`)
}

function checkVariables({ varsAdapter }: MailerConfig): void {
  if (varsAdapter === undefined) return
  if (!isFunctionOf(varsAdapter, 'resolve'))
    throw invalid('varsAdapter', 'must have the method resolve')
  const roots = Object.keys((varsAdapter.schema?.['properties'] ?? {}) as object)
  const taken = roots.find((root) => (RESERVED_ROOTS as readonly string[]).includes(root))
  if (taken !== undefined)
    throw invalid('varsAdapter.schema', `must not have the property ${taken}, which is reserved`)
}

function checkCategories({ categories = [] }: MailerConfig): void {
  const ids = categories.map(({ id }) => id)
  const twice = ids.find((id, at) => ids.indexOf(id) !== at)
  if (twice !== undefined) throw invalid('categories', butIs('must not repeat an id', twice))
}

const isFunctionOf = (value: unknown, method: string): boolean =>
  typeof (value as Readonly<Record<string, unknown>> | null)?.[method] === 'function'
