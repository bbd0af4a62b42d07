// What the commands share: the OAuth host of the config, and how their options and errors are read.
import type { CommandAnswer, CommandCall, CommandHost, Limit } from '@keelson/sdk'
import { KeelsonError } from '@keelson/sdk'
import type { Document } from 'mongodb'
import { hostConfig, type PluginConfig } from '../config/plugin-config.ts'
import { createHomeTenant } from '../home-tenant.ts'
import { assembleOAuth, type OAuthHost } from '../oauth-host.ts'
import type { StoredDelivery, StoredState } from '../storage/rows.ts'
import { createTenantOf } from '../viewers.ts'

export function hostOf(host: CommandHost): OAuthHost {
  const given = host.config as PluginConfig
  const home = createHomeTenant(given.homeTenant, host.collection<StoredState>('oauth_state'))
  const config = {
    ...hostConfig(given),
    tenantOf: createTenantOf(home),
    resolveUser: () => null,
    loadUser: () => null,
    connection: { collection: <T extends Document>(name: string) => host.collection<T>(name) },
    logger: host.log,
    clock: host.clock
  }
  // The running platform sends what is kept here.
  const openQueue = () => host.queue<StoredDelivery>('deliveries')
  return assembleOAuth(config, { limit: () => UNLIMITED, openQueue }).host
}

/** No request arrives here. */
const UNLIMITED: Limit = {
  take: async () => ({ granted: 1, remaining: 1, retryAfterSeconds: 1 }),
  giveBack: () => undefined
}

export const idOf = (call: CommandCall): string => call.args[0] ?? ''

export const textOption = (call: CommandCall, name: string): string | undefined => {
  const value = call.options[name]
  return typeof value === 'string' ? value : undefined
}

export const listOption = (call: CommandCall, name: string): readonly string[] => {
  const value = call.options[name]
  return Array.isArray(value) ? value.map(String) : []
}

/** An error of the caller is an answer, not a failure of the command. */
export async function answer(work: () => Promise<CommandAnswer>): Promise<CommandAnswer> {
  try {
    return await work()
  } catch (error) {
    if (KeelsonError.is(error) && error.status < 500) {
      return {
        text: error.message,
        json: { error: error.code, message: error.message },
        failed: true
      }
    }
    throw error
  }
}
