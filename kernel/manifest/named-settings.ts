// Settings that plugin.json names as `${setting}`: the config schema of the code must have them. Pure.
import { type KeelsonError, type Manifest, nameHint, type PluginDefinition } from '@keelson/sdk'
import { errors } from '../errors/errors.ts'
import { everyPartOf, type Part, partOf, possiblePropertyParts } from './schema-parts.ts'

/** As `mail.${region}.example.com` and `${adminTenants}` have it. */
const SETTING = /\$\{([A-Za-z0-9_.-]+)\}/g

/** Settings that are named and that no config can have: a page whose tenants they list would admit viewers of the platform alone. */
export function settingProblems(
  { id: plugin, network = [], pages = [], routes = [] }: Manifest,
  { config }: Pick<PluginDefinition, 'config'>
): KeelsonError[] {
  const texts: readonly (readonly [path: string, text: string | undefined])[] = [
    ...network.map((text, at) => [`network[${at}]`, text] as const),
    ...pages.map(({ tenants }, at) => [`pages[${at}].tenants`, tenants] as const),
    ...routes.map(({ tenants }, at) => [`routes[${at}].tenants`, tenants] as const)
  ]
  return texts.flatMap(([path, text = '']) =>
    [...text.matchAll(SETTING)].flatMap(([, setting = '']) => {
      const hint = missingHint(partOf(config), setting.split('.'))
      return hint === undefined ? [] : [errors.KRN_SETTING_UNKNOWN({ plugin, path, setting, hint })]
    })
  )
}

const settingHint = (key: string, known: readonly string[]): string =>
  known.length === 0
    ? `Declare ${key} in the config schema of definePlugin, or name another setting.`
    : nameHint(key, known)

/** Undefined where the schema has the setting, or leaves open what it has. */
function missingHint(schema: Part, keys: readonly string[]): string | undefined {
  let parts = everyPartOf(schema)
  for (const key of keys) {
    const names = parts.flatMap((part) => Object.keys(part.schema.properties ?? {}))
    if (names.length === 0 && !parts.some((part) => part.schema.type === 'object')) return undefined
    const next = possiblePropertyParts(parts, key)
    if (next.length === 0) return settingHint(key, [...new Set(names)])
    parts = next.flatMap(everyPartOf)
  }
  return undefined
}
