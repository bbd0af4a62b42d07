// A stand-in for the mailer: owns its extension points, so that plugins around it are tested without it.
import { definePlugin, type Host, type KeelsonPlugin } from '@keelson/sdk'
import {
  type AdminPermission,
  type GatedSend,
  type MailerCore,
  type MailProvider,
  mailerAdminApi,
  mailerCampaignMail,
  mailerCampaigns,
  mailerContactData,
  mailerCore,
  mailerDmarcInbound,
  mailerEventListener,
  mailerProvider,
  mailerPublishGate,
  mailerSendGate,
  mailerSetupCheck,
  mailerTick,
  mailerVerifyCheck,
  type PublishRefusal,
  type SendHold,
  type SetupResult,
  type TemplateContent,
  type VerifyResult,
  type VerifySubject
} from '../contracts/index.ts'
import { holdOf, refusalOf, reportOf } from './gate-answers.ts'
import {
  type CampaignMailData,
  createGivenCampaignMail,
  emptyCampaignMail
} from './given-campaign-mail.ts'
import {
  createRecordedMailer,
  type GivenMailer,
  type MailerCall,
  type MailerData,
  type MailerFunction,
  type MailerFunctions
} from './recorded-mailer.ts'
import { sampleSend, sampleTemplate } from './sample-mail.ts'

/** What a test may set. */
export interface MailerStandInOptions extends Partial<MailerData> {
  /** Functions of `mailer.core/v1` that a test gives instead of the stand-in's. */
  readonly core?: GivenMailer
}

/** The stand-in, and what a test sees and steers. */
export interface MailerStandIn extends MailerData {
  /** Give it to `createTestHost` in `plugins`. */
  readonly plugin: KeelsonPlugin
  /** Every call of `mailer.core/v1`, in order. */
  readonly calls: readonly MailerCall[]
  /** The arguments of each call of one function: `callsOf('audit').map(([entry]) => entry.action)`. */
  callsOf<Name extends MailerFunction>(name: Name): readonly Parameters<MailerFunctions[Name]>[]
  /** What is queued and cancelled through `mailer.campaign-mail/v1`, and what it answers from. */
  readonly campaignMail: CampaignMailData
  /** What callers of the admin API may do. Default: everything. */
  readonly permissions: Set<AdminPermission>
  /** Runs the tasks of the tick that are due. Rejects with what a task throws. */
  tick(): Promise<void>
  /** Asks the send gates about one mail, as part of a batch of `count` (default 1). */
  askSendGates(mail?: Partial<GatedSend>, count?: number): Promise<GateHold | null>
  /** Asks the publish gates about a template. */
  askPublishGates(
    template?: Partial<TemplateContent>,
    options?: Readonly<Record<string, unknown>>
  ): Promise<PublishRefusal | null>
  /** What the publish gates add to the answer of a publish that went through. */
  publishReport(template?: Partial<TemplateContent>): Promise<Readonly<Record<string, unknown>>>
  /** A provider that a plugin contributes. Throws when there is none of this name. */
  provider(name: string): MailProvider
  /** The setup list, in the order of the plugins. */
  readSetup(): Promise<readonly SetupLine[]>
  /** The verification of a template; checks that do not apply are left out. */
  verify(subject: VerifySubject): Promise<readonly VerifyLine[]>
}

/** Why a mail is held, and the gate that holds it. */
export interface GateHold extends SendHold {
  readonly gate: string
}

/** A line of the setup list. */
export interface SetupLine extends SetupResult {
  readonly name: string
  readonly label: string
}

/** A line of a verification. */
export interface VerifyLine extends VerifyResult {
  readonly id: string
}

const manifest = {
  manifestVersion: 1,
  id: 'mailer',
  name: 'Mailer stand-in',
  version: '1.0.0',
  kernel: '*',
  description: 'Owns the extension points of the mailer in tests.',
  license: 'MIT',
  provides: [mailerCore.id, mailerCampaignMail.id],
  extensionPoints: [
    mailerAdminApi,
    mailerCampaigns,
    mailerContactData,
    mailerDmarcInbound,
    mailerEventListener,
    mailerProvider,
    mailerPublishGate,
    mailerSendGate,
    mailerSetupCheck,
    mailerTick,
    mailerVerifyCheck
  ].map(({ id }) => id)
} as const

/**
 * Makes a stand-in for the mailer, for the tests of a plugin around it. What a plugin contributes to the admin
 * API it serves itself; `permissions` says who may call it.
 *
 * @example
 * const mailer = createMailerStandIn({ senderDomains: [{ domain: 'acme.test', kind: 'both' }] })
 * const host = await createTestHost({ plugin, plugins: [mailer.plugin], viewer: admin })
 * mailer.outcomes.push(bounce)
 * await mailer.tick()
 * assert.deepEqual(mailer.callsOf('audit').map(([entry]) => entry.action), ['health.trip'])
 */
export function createMailerStandIn(options: MailerStandInOptions = {}): MailerStandIn {
  const data: MailerData = {
    outcomes: [...(options.outcomes ?? [])],
    subscribers: [...(options.subscribers ?? [])],
    senderDomains: [...(options.senderDomains ?? [])],
    templates: [...(options.templates ?? [])]
  }
  const calls: MailerCall[] = []
  const campaignMail = emptyCampaignMail()
  const mailer = createRecordedMailer(data, calls, options.core ?? {})
  const permissions = new Set<AdminPermission>(['publish', 'sendBroadcasts', 'manageSuppressions'])
  let running: Host | undefined
  const hostOf = (): Host => {
    if (running === undefined) throw new Error('The stand-in is not among the plugins of a host.')
    return running
  }
  const plugin = definePlugin({
    manifest,
    register(host) {
      running = host
      host.provide(mailerCore, mailer)
      host.provide(mailerCampaignMail, createGivenCampaignMail(campaignMail))
      host.permissions((_viewer, name) => permissions.has(name as AdminPermission))
    }
  })
  return {
    ...data,
    plugin,
    calls,
    campaignMail,
    callsOf: (name) => calls.filter((call) => call.name === name).map(({ args }) => args as never),
    permissions,
    tick: tickOf(hostOf, mailer),
    ...questionsOf(hostOf, mailer)
  }
}

function tickOf(hostOf: () => Host, mailer: MailerCore): MailerStandIn['tick'] {
  const lastRuns = new Map<string, number>()
  return async () => {
    const host = hostOf()
    const { log, signal } = host
    const now = host.clock.now()
    const due = host
      .contributions(mailerTick)
      .filter(
        ({ name, everySeconds = 0 }) =>
          now.getTime() - (lastRuns.get(name) ?? Number.NEGATIVE_INFINITY) >= everySeconds * 1000
      )
    for (const { name } of due) lastRuns.set(name, now.getTime())
    await Promise.all(due.map((task) => task.run({ now, signal, log, mailer })))
  }
}

type Questions = Pick<
  MailerStandIn,
  'askSendGates' | 'askPublishGates' | 'publishReport' | 'provider' | 'readSetup' | 'verify'
>

function questionsOf(hostOf: () => Host, mailer: MailerCore): Questions {
  const context = () => ({ now: hostOf().clock.now(), signal: hostOf().signal, mailer })
  const publishing = (options = {}) => ({ ...context(), actor: 'human:user:test', options })
  return {
    askSendGates: (mail, count = 1) =>
      holdOf(hostOf().contributions(mailerSendGate), { ...sampleSend(mail), count }, context()),
    askPublishGates: (template, options) =>
      refusalOf(
        hostOf().contributions(mailerPublishGate),
        sampleTemplate(template),
        publishing(options)
      ),
    publishReport: (template) =>
      reportOf(hostOf().contributions(mailerPublishGate), sampleTemplate(template), publishing()),
    provider(name) {
      const found = hostOf()
        .contributions(mailerProvider)
        .find((provider) => provider.name === name)
      if (found === undefined) throw new Error(`No plugin contributes the provider ${name}.`)
      return found
    },
    readSetup: () =>
      Promise.all(
        hostOf()
          .contributions(mailerSetupCheck)
          .map(async (check) => {
            const failed = ({ message }: Error) => ({ severity: 'error', message }) as const
            const result = await attempt(() => check.run(context()), failed)
            return { name: check.name, label: check.label, ...result }
          })
      ),
    async verify(subject) {
      const lines = await Promise.all(
        hostOf()
          .contributions(mailerVerifyCheck)
          .map(async (check) => {
            const failed = ({ message }: Error) => ({ status: 'fail', message }) as const
            const result = await attempt(() => check.run(subject, context()), failed)
            return result === null ? [] : [{ id: check.id, ...result }]
          })
      )
      return lines.flat()
    }
  }
}

/** What a check answers, or what its failure shows as. */
async function attempt<T, F>(run: () => T | Promise<T>, failed: (error: Error) => F) {
  try {
    return await run()
  } catch (error) {
    return failed(error as Error)
  }
}
