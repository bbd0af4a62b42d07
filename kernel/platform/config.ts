// The platform's config: placeholders filled, checked against its schema.
import { configSchema, type KeelsonConfig, type KeelsonError } from '@keelson/sdk'
import { errors } from '../errors/errors.ts'
import type { ConfigText } from '../manifest/config-file.ts'
import { fit } from '../manifest/fit.ts'
import { isPlainObject } from '../manifest/schema-parts.ts'
import { valueProblems } from './config-values.ts'
import { type FilledPlaceholder, fillPlaceholders } from './placeholders.ts'

export interface ReadConfig {
  readonly source: string
  readonly baseDir: string
  readonly config: KeelsonConfig
  /** Variables by the path of the string that they filled; a plugin's schema may want another type there. */
  readonly filled: ReadonlyMap<string, string>
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
        ? errors.KRN_CONFIG_UNKNOWN_KEY({ file, path, hint: hintOf(path, fault.hint) })
        : errors.KRN_CONFIG_INVALID({ file, path, reason: fault.reason })
    )
  }
  if (problems.length === 0) {
    problems.push(...valueProblems(coerced as KeelsonConfig, file))
  }
  if (problems.length > 0) return { ok: false, problems }
  const { source, baseDir } = text
  return {
    ok: true,
    read: { source, baseDir, config: coerced as KeelsonConfig, filled: paths, defaulted }
  }
}

/** Missing placeholders of a disabled plugin are ignored. */
function isSwitchedOff(config: unknown, path: string): boolean {
  const id = /^plugins\.([^.[]+)/.exec(path)?.[1]
  if (id === undefined || !isPlainObject(config) || !isPlainObject(config['plugins'])) return false
  const entry = config['plugins'][id]
  return isPlainObject(entry) && entry['enabled'] === false
}

/** Settings of a plugin are often written beside its `package`. */
function hintOf(path: string, hint: string): string {
  const id = /^plugins\.([^.]+)\.[^.]+$/.exec(path)?.[1]
  return id === undefined ? hint : `${hint} Settings of the plugin belong to plugins.${id}.config.`
}
