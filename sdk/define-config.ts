// defineConfig: the platform's config as a module, with plugins given in code.
import type { KeelsonPlugin } from './define-plugin.ts'
import type { KeelsonConfig } from './manifest/config-schema.ts'

/**
 * What a `keelson.config.js` or `keelson.config.ts` exports by default: the platform's config, and plugins
 * in code.
 */
export interface ConfigModule extends KeelsonConfig {
  /**
   * Plugins in code: what `definePlugin` returns. They run unless `plugins.<id>.enabled` is false;
   * their settings are under `plugins.<id>.config`, as for packages. Not for JSON.
   */
  readonly use?: readonly KeelsonPlugin[]
}

/**
 * Returns the config as it is given; it is there for the types. The host and the command line read the
 * same module, so that `keelson plan`, `apply` and `doctor` know plugins in code too.
 *
 * @example
 * // keelson.config.js
 * import { defineConfig } from '@keelson/sdk'
 * import orders from './plugins/orders.js'
 * export default defineConfig({ plugins: { telemetry: {} }, use: [orders] })
 */
export function defineConfig(config: ConfigModule): ConfigModule {
  return config
}
