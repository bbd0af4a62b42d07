// The contracts of sdk/contracts: what fits compiles and passes the check, what does not fit does neither.

import {
  type AdminApi,
  adminAccess,
  MAILER_ADMIN_API,
  type MailerCore,
  type MailProvider,
  mailerAdminApi,
  mailerCore,
  mailerProvider,
  mailerPublishGate,
  mailerSendGate,
  mailerSetupCheck,
  mailerTick,
  mailerVerifyCheck,
  type ProviderResult,
  type PublishGate,
  type SendGate,
  type SetupCheck,
  type TickTask,
  type VerifyCheck
} from '@keelson/mailer/contracts'
import {
  type AnyContract,
  bindOperations,
  type Call,
  type ContractType,
  contractFault,
  defineCapability,
  defineExtensionPoint,
  type Host,
  operation,
  systemActor,
  Type
} from '@keelson/sdk'
import { authViewer, type ViewerProvider } from '@keelson/sdk/contracts/auth-viewer'
import { type McpTools, mcpTools } from '@keelson/sdk/contracts/mcp-tools'
import { type OAuthPeople, oauthPeople } from '@keelson/sdk/contracts/oauth-people'
import { oauthProtect, type Protect } from '@keelson/sdk/contracts/oauth-protect'
import { type RequestSpanSink, requestSpans } from '@keelson/sdk/contracts/request-spans'
import { type Telemetry, telemetryHandle } from '@keelson/telemetry'
import {
  type RegistrySpec,
  type TelemetryStore,
  telemetryRegistry,
  telemetryStore
} from '@keelson/telemetry/contracts'
import { type SubjectAdapter, telemetrySubjectLabels } from '@keelson/telemetry-dashboard/contracts'
import { test } from 'tap'
import { type Equal, isTrue } from './expect.ts'

/** Runs nothing: what is inside has only to compile. */
const compiles = (_use: (host: Host) => void) => true

const faultOf = (contract: AnyContract, value: unknown) => contractFault(contract, value)

test('a required capability has its type, an optional one may be undefined', async (t) => {
  compiles((host) => {
    const store = host.use(telemetryStore)
    isTrue<Equal<typeof store, TelemetryStore>>()
    const mailer = host.use(mailerCore, { optional: true })
    isTrue<Equal<typeof mailer, MailerCore | undefined>>()
    // @ts-expect-error: it may be undefined
    mailer.as
    // @ts-expect-error: an id is not a contract
    host.use('telemetry.store/v1')
    // @ts-expect-error: an extension point is not used
    host.use(mailerTick)
    // @ts-expect-error: a capability is not extended
    host.extend(telemetryStore, {})
    // @ts-expect-error: the type comes from the contract
    host.provide(authViewer, { loadViewer: () => null })
  })
  t.pass('it compiles')
})

test('contributions have the type of their point', async (t) => {
  compiles((host) => {
    isTrue<Equal<ReturnType<typeof read>, readonly TickTask[]>>()
    const read = () => host.contributions(mailerTick)
  })
  isTrue<Equal<ContractType<typeof mailerTick>, TickTask>>()
  t.pass('it compiles')
})

test('two versions of one contract are two contracts', async (t) => {
  const first = defineCapability<string>('words.store/v1', Type.String())
  const second = defineCapability<number>('words.store/v2', Type.Number())
  compiles((host) => {
    isTrue<Equal<ReturnType<typeof one>, string>>()
    isTrue<Equal<ReturnType<typeof two>, number>>()
    const one = () => host.use(first)
    const two = () => host.use(second)
  })
  t.equal(faultOf(first, 'word'), undefined)
  t.equal(faultOf(second, 2), undefined)
})

test('a fault names the place and the reason, and never the value', async (t) => {
  const point = defineExtensionPoint<object>(
    'words.list/v1',
    Type.Object({ list: Type.Array(Type.Object({ word: Type.String() })) })
  )
  t.same(faultOf(point, { list: [{ word: 'a' }, { word: 7 }] }), {
    path: 'list[1].word',
    reason: 'must be string'
  })
  t.match(faultOf(point, { list: [{}] }), { path: 'list[0].word', reason: 'is missing' })
  t.match(faultOf(point, undefined), { path: '', reason: 'must be object' })
})

test('auth.viewer/v1: resolveViewer is required, methods of a class count', async (t) => {
  class People implements ViewerProvider {
    resolveViewer() {
      return null
    }
  }
  t.equal(faultOf(authViewer, new People()), undefined)
  t.match(faultOf(authViewer, {}), { path: 'resolveViewer', reason: 'is missing' })
  // @ts-expect-error: a viewer has a tenant and a role
  const wrong: ViewerProvider = { resolveViewer: () => ({ tenantId: 'acme' }) }
  t.ok(wrong)
})

test('oauth.protect/v1: a function of scopes that makes preHandlers', async (t) => {
  const protect: Protect = (scopes = []) => {
    isTrue<Equal<typeof scopes, readonly string[]>>()
    return async () => undefined
  }
  t.equal(faultOf(oauthProtect, protect), undefined)
  t.match(faultOf(oauthProtect, { protect }), { reason: 'must be a function' })
})

test('oauth.people/v1: people are named by tenant and viewerRef', async (t) => {
  const people: OAuthPeople = {
    forget: async () => ({ grants: 0, tokens: 0 }),
    revokeAll: async () => ({ grantsRevoked: 0, tokensRevoked: 0 }),
    leaveContext: async () => ({ grantsRevoked: 0, tokensRevoked: 0 }),
    viewerOf: async () => null
  }
  compiles((host) => {
    isTrue<Equal<typeof used, OAuthPeople>>()
    const used = host.use(oauthPeople)
    // @ts-expect-error: a viewerRef alone may be of several tenants
    used.forget({ viewerRef: 'user:1' })
  })
  t.equal(faultOf(oauthPeople, people), undefined)
  t.match(faultOf(oauthPeople, { forget: people.forget }), { reason: 'is missing' })
})

test('telemetry.store/v1: the handle of @keelson/telemetry fits it', async (t) => {
  isTrue<Telemetry extends TelemetryStore ? true : false>()
  t.equal(telemetryHandle.id, telemetryStore.id)
  compiles((host) => {
    // @ts-expect-error: a record has a tenant
    void host.use(telemetryStore).emit('order.placed', {})
  })
  t.match(faultOf(telemetryStore, { emit() {} }), { reason: 'is missing' })
})

test('telemetry.registry/v1: specs are checked for their shape, unknown keys by name', async (t) => {
  const spec: RegistrySpec = {
    'order.placed': {
      kind: 'event',
      attrs: { plan: { values: ['free', 'pro'] } },
      metrics: ['total'],
      data: Type.Object({ note: Type.String() }),
      rollups: [{ by: ['subject'], bucket: 'day', retentionDays: null }],
      burst: { maxPerMinute: 5 },
      sampleRate: 0.5
    }
  }
  t.equal(faultOf(telemetryRegistry, spec), undefined)
  // @ts-expect-error: `evnt` is not a kind
  const typo: RegistrySpec = { 'order.placed': { kind: 'evnt' } }
  t.match(faultOf(telemetryRegistry, typo), { path: 'order.placed.kind' })
  t.match(faultOf(telemetryRegistry, { a: { kind: 'event', rollup: [] } }), {
    path: 'a.rollup',
    reason: 'is unknown'
  })
})

test('telemetry.subject-labels/v1: describe is required', async (t) => {
  const adapter: SubjectAdapter = { describe: async () => ({ 'user:1': { label: 'Ann' } }) }
  t.equal(faultOf(telemetrySubjectLabels, adapter), undefined)
  t.match(faultOf(telemetrySubjectLabels, { describe: {} }), { path: 'describe' })
})

test('kernel.request-spans/v1: end is required', async (t) => {
  const sink: RequestSpanSink = {
    end: ({ durationMs }) => void isTrue<Equal<typeof durationMs, number>>()
  }
  t.equal(faultOf(requestSpans, sink), undefined)
  t.match(faultOf(requestSpans, {}), { path: 'end', reason: 'is missing' })
})

test('mcp.tools/v1: a list of tools, each with a closed input and a handler', async (t) => {
  const tools: McpTools = [
    {
      name: 'count_words',
      title: 'Count words',
      description: 'Counts words.',
      inputSchema: { type: 'object' },
      annotations: { readOnlyHint: true },
      scopes: ['words:read'],
      handler: async () => ({ count: 1 })
    }
  ]
  t.equal(faultOf(mcpTools, tools), undefined)
  t.match(faultOf(mcpTools, [{ ...tools[0], name: 'count words' }]), { path: '[0].name' })
  t.match(faultOf(mcpTools, [{ ...tools[0], handler: undefined }]), { path: '[0].handler' })
})

test('mailer.core/v1: every operation is there', async (t) => {
  compiles((host) => {
    const core = host.use(mailerCore)
    // @ts-expect-error: the bare capability reads alone, `as` says who sends
    void core.sendOneOff({ templateSlug: 'code', externalId: 'u1', dedupeKey: 'code-1' })
    const mailer = core.as(systemActor('shop'))
    void mailer.sendOneOff({ templateSlug: 'code', externalId: 'u1', dedupeKey: 'code-1' })
    // @ts-expect-error: a send has a dedupeKey
    void mailer.sendOneOff({ templateSlug: 'code', externalId: 'u1' })
    // @ts-expect-error: `some` is not a scope
    void mailer.suppress('a@example.test', { scope: 'some', reason: 'manual' })
  })
  t.match(faultOf(mailerCore, { sendOneOff() {} }), { reason: 'is missing' })
})

test('mailer.provider/v1: send and the two webhook functions are required', async (t) => {
  const provider: MailProvider = {
    name: 'own',
    capabilities: { idempotencyKeys: true },
    async send(message, { idempotencyKey }): Promise<ProviderResult> {
      return { status: 'accepted', providerId: `${message.to}-${idempotencyKey}` }
    },
    verifyWebhook: () => false,
    parseWebhookEvents: () => [
      {
        type: 'bounce',
        providerEventId: 'e1',
        providerMessageId: null,
        email: 'a@example.test',
        occurredAt: new Date(0),
        details: { bounceType: 'hard' }
      }
    ]
  }
  t.equal(faultOf(mailerProvider, provider), undefined)
  t.match(faultOf(mailerProvider, { ...provider, send: 1 }), { path: 'send' })
  t.match(faultOf(mailerProvider, { ...provider, capabilities: { keys: true } }), {
    path: 'capabilities.keys',
    reason: 'is unknown'
  })
  // @ts-expect-error: `maybe` is not an outcome
  const wrong: ProviderResult = { status: 'maybe' }
  t.ok(wrong)
})

test('mailer.tick/v1: a name and a run', async (t) => {
  const task: TickTask = {
    name: 'count',
    everySeconds: 3600,
    run: async ({ now, signal, mailer }) => {
      isTrue<Equal<typeof now, Date>>()
      isTrue<Equal<typeof signal, AbortSignal>>()
      await mailer.outcomes({ limit: 10 })
    }
  }
  t.equal(faultOf(mailerTick, task), undefined)
  t.match(faultOf(mailerTick, { name: 'Count', run() {} }), { path: 'name' })
  t.match(faultOf(mailerTick, { ...task, timeoutSeconds: 301 }), { path: 'timeoutSeconds' })
  // @ts-expect-error: run is missing
  const wrong: TickTask = { name: 'count' }
  t.ok(wrong)
})

test('mailer.send-gate/v1: one of check and checkBatch is required', async (t) => {
  const each: SendGate = {
    name: 'words',
    check: ({ subject }) => (subject === '' ? { error: 'empty', message: 'It is empty.' } : null)
  }
  const batch: SendGate = {
    name: 'domains',
    kinds: ['marketing', 'transactional'],
    checkBatch: async ({ senderDomain }) =>
      senderDomain === null
        ? { error: 'no_domain', message: 'It has no domain.', pauseBroadcast: true }
        : null
  }
  t.equal(faultOf(mailerSendGate, each), undefined)
  t.equal(faultOf(mailerSendGate, batch), undefined)
  // @ts-expect-error: neither check nor checkBatch
  const neither: SendGate = { name: 'nothing' }
  t.match(faultOf(mailerSendGate, neither), { reason: 'must have a check or a checkBatch' })
  t.match(faultOf(mailerSendGate, { ...each, kinds: ['spam'] }), { path: 'kinds[0]' })
})

test('mailer.publish-gate/v1: a refusal has a code and a message, and what else it shows', async (t) => {
  const gate: PublishGate = {
    name: 'lint',
    check: ({ html }) =>
      html === '' ? { error: 'lint_failed', message: 'It is empty.', lint: { errors: [] } } : null,
    report: () => ({ lint: { warnings: [] } })
  }
  t.equal(faultOf(mailerPublishGate, gate), undefined)
  t.match(faultOf(mailerPublishGate, { name: 'lint' }), { path: 'check', reason: 'is missing' })
})

test('mailer.setup-check/v1: a severity that is none does not compile', async (t) => {
  const check: SetupCheck = {
    name: 'dmarc',
    label: 'DMARC',
    run: () => ({ severity: 'warn', message: 'No policy.', hint: 'Publish p=quarantine.' })
  }
  t.equal(faultOf(mailerSetupCheck, check), undefined)
  t.match(faultOf(mailerSetupCheck, { ...check, label: undefined }), { path: 'label' })
  // @ts-expect-error: `bad` is not a severity
  const wrong: SetupCheck = { ...check, run: () => ({ severity: 'bad', message: '' }) }
  t.ok(wrong)
})

test('mailer.verify-check/v1: null says that it does not apply', async (t) => {
  const check: VerifyCheck = {
    id: 'lint',
    run: ({ rendered }) =>
      rendered === null ? null : { status: 'pass', detail: { bytes: rendered.html.length } }
  }
  t.equal(faultOf(mailerVerifyCheck, check), undefined)
  t.match(faultOf(mailerVerifyCheck, { ...check, id: 'Lint' }), { path: 'id' })
})

test('mailer.admin-api/v1: operations with what they are served with, below the admin API', async (t) => {
  const untag = operation({
    id: 'dmarc.sources.delete',
    method: 'DELETE',
    base: MAILER_ADMIN_API,
    path: '/dmarc/sources/:ip',
    summary: 'Removes the label of a source',
    access: adminAccess.publish,
    effect: 'change',
    params: Type.Object({ ip: Type.String() }),
    query: Type.Object({ dry: Type.Optional(Type.Boolean()) }),
    answer: Type.Object({ ok: Type.Literal(true) }),
    run: ({ params, query, body }, { host }: Call<{ readonly rows: number }>) => {
      isTrue<Equal<typeof params.ip, string>>()
      isTrue<Equal<typeof query.dry, boolean | undefined>>()
      isTrue<Equal<typeof body, undefined>>()
      isTrue<Equal<typeof host.rows, number>>()
      // @ts-expect-error: `ipp` is not a parameter
      void params.ipp
      return { ok: true as const }
    }
  })
  const api: AdminApi = { name: 'dmarc', operations: bindOperations([untag], { rows: 1 }) }
  t.equal(faultOf(mailerAdminApi, api), undefined)
  const elsewhere = { ...untag, base: '/elsewhere' }
  const operations = bindOperations([elsewhere], { rows: 1 })
  t.match(faultOf(mailerAdminApi, { name: 'dmarc', operations }), {
    path: 'operations[0].operation.base'
  })
  t.match(faultOf(mailerAdminApi, { name: 'dmarc' }), { path: 'operations' })
})
