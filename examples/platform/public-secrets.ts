// Secrets whose defaults anyone can read in this repository: good for this machine alone.
import { DEFAULT_PASSWORD } from './demo/people.ts'

/** The default of each variable, as the config file has it. */
export const PUBLIC_DEFAULTS: Readonly<Record<string, string>> = {
  KEELSON_DEMO_PASSWORD: DEFAULT_PASSWORD,
  KEELSON_MAIL_SECRET: 'keelson-demo-mail-secret',
  KEELSON_DMARC_SECRET: 'keelson-demo-dmarc',
  TELEMETRY_PEPPER: 'keelson-demo-pepper'
}

/** The variables that have their default. */
export function publicSecrets(env: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries(PUBLIC_DEFAULTS)
    .filter(([name, value]) => (env[name] ?? value) === value)
    .map(([name]) => name)
}
