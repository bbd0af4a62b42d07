// The platform's config: placeholders filled, checked against its schema.
import {
  configSchema,
  hostNameOf,
  type KeelsonConfig,
  type KeelsonError,
  urlOrigin
} from '@keelson/sdk'
import { isTimeZone } from '@keelson/sdk/zoned-time'
import { errors } from '../errors/errors.ts'
import type { ConfigText } from '../manifest/config-file.ts'
import { fit } from '../manifest/fit.ts'
import { isPlainObject } from '../manifest/schema-parts.ts'
import { type FilledPlaceholder, fillPlaceholders } from './placeholders.ts'

export interface ReadConfig {
  readonly source: string
  readonly baseDir: string
  readonly config: KeelsonConfig
  /** Paths of strings that came from placeholders; a plugin's schema may want another type there. */
  readonly filled: ReadonlySet<string>
  /** Placeholders whose value in use is the default that the config names. */
  readonly defaulted: readonly FilledPlaceholder[]
}

export type CheckedConfig =
  | { readonly ok: true; readonly read: ReadConfig }
  | { readonly ok: false; readonly problems: readonly KeelsonError[] }

/** Fills, coerces and checks. Nothing is read, nothing is thrown. */
export function checkConfig(
  text: Omit<ConfigText, 'plugins'>,
  env: Readonly<Record<string, string | undefined>>
): CheckedConfig {
  const file = text.source
  const { value, paths, missing, defaulted } = fillPlaceholders(text.content, env)
  const { value: coerced, faults } = fit(configSchema, value, { filled: paths })
  const problems: KeelsonError[] = missing
    .filter(({ path }) => !isSwitchedOff(coerced, path))
    .map(({ path, variable }) => {
      const example = `$\{${variable}:default}`
      return errors.KRN_CONFIG_PLACEHOLDER({ file, path, variable, example })
    })
  for (const fault of faults) {
    const path = fault.path === '' ? 'the content' : fault.path
    problems.push(
      fault.kind === 'unknown'
        ? errors.KRN_CONFIG_UNKNOWN_KEY({ file, path, hint: fault.hint })
        : errors.KRN_CONFIG_INVALID({ file, path, reason: fault.reason })
    )
  }
  if (problems.length === 0) {
    const config = coerced as KeelsonConfig
    problems.push(
      ...checkAddresses(config, file),
      ...checkHosts(config, file),
      ...checkTimeZone(config, file)
    )
  }
  if (problems.length > 0) return { ok: false, problems }
  const { source, baseDir } = text
  return {
    ok: true,
    read: { source, baseDir, config: coerced as KeelsonConfig, filled: paths, defaulted }
  }
}

/** An invalid URL would silently match no origin. */
function checkAddresses({ auth = {} }: KeelsonConfig, file: string): KeelsonError[] {
  const given = [
    ...listOf(auth.publicUrl).map((url) => ['auth.publicUrl', url] as const),
    ...listOf(auth.embedOrigins).map((origin) => ['auth.embedOrigins', origin] as const)
  ]
  const reason = 'must be an address like https://app.example'
  return given
    .filter(([, address]) => !/^https?:\/\/[^/]/.test(address) || urlOrigin(address) === undefined)
    .map(([path]) => errors.KRN_CONFIG_INVALID({ file, path, reason }))
}

/** A name that no Host header has would be refused without a word. */
function checkHosts({ auth = {} }: KeelsonConfig, file: string): KeelsonError[] {
  const reason = 'must be host names like app.example, without http:// and path'
  return listOf(auth.hosts)
    .filter((host) => hostNameOf(host) === undefined)
    .map(() => errors.KRN_CONFIG_INVALID({ file, path: 'auth.hosts', reason }))
}

/** Pages would show every date in UTC, and say so of another zone. */
function checkTimeZone({ shell = {} }: KeelsonConfig, file: string): KeelsonError[] {
  if (shell.timeZone === undefined || isTimeZone(shell.timeZone)) return []
  const reason = 'must be UTC or an IANA name such as Europe/Berlin'
  return [errors.KRN_CONFIG_INVALID({ file, path: 'shell.timeZone', reason })]
}

/** Values given as a list or in one string with commas. */
export function listOf(given: string | readonly string[] | undefined): string[] {
  return [given ?? []]
    .flat()
    .flatMap((text) => text.split(','))
    .map((part) => part.trim())
    .filter((part) => part !== '')
}

/** Missing placeholders of a disabled plugin are ignored. */
function isSwitchedOff(config: unknown, path: string): boolean {
  const id = /^plugins\.([^.[]+)/.exec(path)?.[1]
  if (id === undefined || !isPlainObject(config) || !isPlainObject(config['plugins'])) return false
  const entry = config['plugins'][id]
  return isPlainObject(entry) && entry['enabled'] === false
}
