// keelson dev --with mailer: the mailer beside the plugin, with contacts, templates and a mailbox.
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { KeelsonPlugin, PluginConfig } from '@keelson/sdk'
import { errors } from '../errors/errors.ts'

/** What the config of a platform gets. */
export interface DevMailer {
  readonly entry: PluginConfig
  readonly plugin: KeelsonPlugin
}

/** The part of `@keelson/mailer/dev` that is used here. */
interface DevModule {
  readonly mailerDev: KeelsonPlugin
  mailerDevConfig(publicUrl: string): Readonly<Record<string, unknown>>
}

/**
 * The mailer that the plugin of a folder has installed.
 *
 * @throws KRN_CLI_WITH_MISSING
 */
export async function findDevMailer(folder: string, publicUrl: string): Promise<DevMailer> {
  const { resolve } = createRequire(join(folder, 'package.json'))
  let file: string
  let manifest: string
  try {
    file = resolve('@keelson/mailer/dev')
    manifest = resolve('@keelson/mailer/plugin.json')
  } catch (cause) {
    throw errors.KRN_CLI_WITH_MISSING({ package: '@keelson/mailer', folder, cause })
  }
  const module = (await import(pathToFileURL(file).href)) as DevModule
  const config = module.mailerDevConfig(publicUrl)
  return { entry: { package: dirname(manifest), config }, plugin: module.mailerDev }
}
