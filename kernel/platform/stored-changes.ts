// What the settings of the platform say beside its config file: plugins switched and configured, laid over it. Pure.
import { isPlainObject, type PlainObject } from '../manifest/schema-parts.ts'

/** What is said of one plugin. */
export interface PluginChange {
  readonly enabled?: boolean
  /** Of a plugin that the file does not name; its entry wins. */
  readonly package?: string
  /** Laid over the `config` of the file; lists are replaced. As the file has it: `${NAME}` is a variable. */
  readonly config?: PlainObject
}

/** By the id of the plugin. */
export type PlatformChanges = Readonly<Record<string, PluginChange>>

/** The content of a config file with the changes over it. */
export function withChanges(content: unknown, changes: PlatformChanges): unknown {
  if (Object.keys(changes).length === 0) return content
  const base = isPlainObject(content) ? content : {}
  const plugins = isPlainObject(base['plugins']) ? base['plugins'] : {}
  const changed = Object.entries(changes).map(([id, { enabled, config, package: name }]) => {
    const entry = isPlainObject(plugins[id]) ? plugins[id] : {}
    const merged = config === undefined ? entry['config'] : overlaid(entry['config'], config)
    return [
      id,
      {
        ...(name !== undefined && { package: name }),
        ...entry,
        ...(enabled !== undefined && { enabled }),
        ...(merged !== undefined && { config: merged })
      }
    ]
  })
  return { ...base, plugins: { ...plugins, ...Object.fromEntries(changed) } }
}

function overlaid(base: unknown, over: unknown): unknown {
  if (!isPlainObject(over)) return over
  const entries = isPlainObject(base) ? base : {}
  const laid = Object.entries(over).map(([key, value]) => [
    key,
    overlaid(Object.hasOwn(entries, key) ? entries[key] : undefined, value)
  ])
  return { ...entries, ...Object.fromEntries(laid) }
}

/** A copy of the config of a change with the value at a path; undefined removes it, and objects that are then empty. */
export function withValue(
  config: PlainObject,
  path: readonly string[],
  value: unknown
): PlainObject {
  const [key, ...below] = path
  if (key === undefined) return config
  const { [key]: old, ...others } = config
  const next = below.length === 0 ? value : withValue(isPlainObject(old) ? old : {}, below, value)
  const isGone = next === undefined || (below.length > 0 && isEmpty(next))
  return isGone ? others : { ...others, [key]: next }
}

const isEmpty = (value: unknown): boolean => isPlainObject(value) && Object.keys(value).length === 0
