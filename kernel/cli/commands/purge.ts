// keelson purge: removes the data of a plugin that is switched off or gone.
import { errors } from '../../errors/errors.ts'
import { applyPurge, type PurgedCollection, planPurge } from '../../lifecycle/purge.ts'
import { type Command, table } from '../command.ts'
import { type FoundPlatform, manifestsOff, withStorage } from '../platform.ts'
import { findPlatformInForce } from '../platform-in-force.ts'
import { sizeText } from './plan.ts'

export const purge: Command = {
  name: 'purge',
  summary: 'Remove the collections of a plugin that is switched off or gone.',
  details:
    'Prints them with their documents and sizes, then asks for the id of the plugin. What the manifest of the plugin does not declare and the kernel did not make for it stays.',
  positionals: '<plugin>',
  options: {
    yes: { type: 'boolean', description: 'Do not ask. For scripts.' }
  },
  async run(context, { args: [plugin = ''], options, signal }) {
    const platform = await findPlatformInForce(context)
    refuseEnabled(plugin, platform)
    const manifests = await manifestsOff(platform)
    const manifest = manifests.get(plugin)
    manifests.delete(plugin)
    const others = [...platform.plugins.map((each) => each.manifest), ...manifests.values()]
    return withStorage(platform, async ({ db, description }) => {
      const collections = await planPurge(db, { plugin, manifest, others })
      if (collections.length === 0) {
        const text = `Plugin ${plugin} has nothing in ${description}.`
        return { text, json: { plugin, collections, purged: false } }
      }
      const planned = purgeText(plugin, description, collections)
      const isConfirmed = options['yes'] === true || (await context.ask(planned)) === plugin
      if (!isConfirmed) {
        const text = `Nothing was removed: the answer was not "${plugin}".`
        return { text, json: { plugin, collections, purged: false }, failed: true }
      }
      await applyPurge(db, plugin, collections, signal)
      const text = `Removed ${collections.length} collections of ${plugin}.`
      return { text, json: { plugin, collections, purged: true } }
    })
  }
}

/** A host that runs writes to its collections, and the next start makes them again. */
function refuseEnabled(plugin: string, { plugins, inCode, read }: FoundPlatform): void {
  const enabled = [...plugins.map(({ id }) => id), ...inCode]
  if (!enabled.includes(plugin)) return
  throw errors.KRN_CLI_PURGE_ENABLED({ plugin, file: read.source })
}

function purgeText(
  plugin: string,
  database: string,
  collections: readonly PurgedCollection[]
): string {
  const rows = collections.map(({ collection, documents, bytes }) => [
    collection,
    `${documents} documents`,
    sizeText(bytes)
  ])
  return [
    `To be removed for good from ${database}:`,
    ...table(rows),
    '',
    `Type ${plugin} to remove them: `
  ].join('\n')
}
