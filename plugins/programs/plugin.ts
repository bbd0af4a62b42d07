// The plugin: what it registers beside the mailer, by the mailer's contracts alone.
import {
  mailerAdminApi,
  mailerCampaignMail,
  mailerCampaigns,
  mailerContactData,
  mailerCore,
  mailerEventListener,
  mailerTick
} from '@keelson/mailer/contracts'
import { bindOperations, definePlugin, type Host, type KeelsonPlugin } from '@keelson/sdk'
import { configSchema, type ProgramSettings } from './config.ts'
import { type FactsAdapter, programFacts, programSubjects } from './contracts.ts'
import { campaignsOf, contactDataOf, listenerOf, subjectsOf, taskOf } from './contributions.ts'
import { createProgramRunHandler } from './looks/look-handler.ts'
import { programOperations } from './operations/program-operations.ts'
import manifest from './plugin.json' with { type: 'json' }
import type { ProgramContext } from './program-context.ts'
import type { ProgramRunRow } from './storage/program-rows.ts'

/** What a config file cannot say, for `createProgramsPlugin`. */
export interface ProgramsCode {
  /** What the host knows of subjects. Default: what the plugin that provides `programs.facts/v1` knows. */
  readonly facts?: FactsAdapter | undefined
}

function register(host: Host, settings: ProgramSettings, { facts }: ProgramsCode): void {
  const collections = {
    programs: host.collection('mailer_programs'),
    programVersions: host.collection('mailer_program_versions'),
    programRuns: host.collection<ProgramRunRow>('mailer_program_runs'),
    programDecisions: host.collection('mailer_program_decisions')
  } as unknown as ProgramContext['collections']
  const open = (): ProgramContext => ({
    collections,
    runs,
    mailer: host.use(mailerCore),
    mails: host.use(mailerCampaignMail),
    facts: facts ?? host.use(programFacts, { optional: true }),
    decisionRetentionDays: settings.decisionRetentionDays,
    clock: host.clock,
    log: host.log,
    withTransaction: host.withTransaction
  })
  const runs = host.queue<ProgramRunRow>('runs', createProgramRunHandler(open))
  host.provide(programSubjects, subjectsOf(open))
  host.extend(mailerCampaigns, campaignsOf(open))
  host.extend(mailerEventListener, listenerOf(open))
  host.extend(mailerContactData, contactDataOf(open))
  host.extend(mailerTick, taskOf(open))
  host.serve(programOperations, { open })
  host.extend(mailerAdminApi, {
    name: 'programs',
    operations: bindOperations(programOperations, { open })
  })
}

/**
 * The plugin with what only code can say. For `use` of a config that is a module; settings stay below
 * `plugins.programs.config`.
 *
 * @example
 * export default defineConfig({ use: [createProgramsPlugin({ facts: accountFacts })] })
 */
export function createProgramsPlugin(code: ProgramsCode = {}): KeelsonPlugin {
  return definePlugin({
    manifest,
    config: configSchema,
    operations: programOperations,
    register: (host, settings) => register(host, settings, code),
    // This module is in dist.
    folder: new URL('..', import.meta.url)
  })
}

export default createProgramsPlugin()
