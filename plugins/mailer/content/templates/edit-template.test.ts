// Templates as stored: made, drafted, listed, copied and deleted.
import { test } from 'tap'
import type { CampaignSource } from '../../contracts/mailer-campaigns.ts'
import type { BroadcastRow } from '../../ledger/broadcast-row.ts'
import type { MailerContext } from '../../ledger/context.ts'
import type { FlowRow } from '../../ledger/flow-rows.ts'
import { testContext } from '../../test/test-context.ts'
import { changeDraft, createTemplate, deleteTemplate, duplicateTemplate } from './edit-template.ts'
import { publishTemplate } from './publish-template.ts'
import { getTemplate, listTemplates, listVersions } from './read-templates.ts'

const acting = { actor: 'human:ann@example.test' }
const news = { slug: 'news', name: 'News', kind: 'marketing' } as const
const fromDefaults = { name: 'Acme', email: 'hello@acme.test' }

const actions = async ({ collections }: MailerContext) =>
  (await collections.auditLog.find().sort({ at: 1 }).toArray()).map(({ action }) => action)

test('a new template is unpublished, with the sender of the defaults and a row of the audit log', async (t) => {
  const { context } = await testContext(t, { config: { fromDefaults } })
  const made = await createTemplate(context, { ...news, tags: ['monthly'] }, acting)
  t.equal(made.ok, true)
  t.match(await getTemplate(context, 'news'), {
    slug: 'news',
    kind: 'marketing',
    version: 0,
    draft: null,
    fromEmail: 'hello@acme.test',
    trackOpens: true,
    tags: ['monthly']
  })
  await createTemplate(context, { slug: 'receipt', name: 'R', kind: 'transactional' }, acting)
  t.match(await getTemplate(context, 'receipt'), { trackOpens: false, trackClicks: false })
  t.same(await actions(context), ['template.create', 'template.create'])
})

test('a slug is taken once, even at the same moment', async (t) => {
  const { context } = await testContext(t)
  const made = await Promise.all([1, 2, 3].map(() => createTemplate(context, news, acting)))
  t.same(made.map(({ ok }) => ok).sort(), [false, false, true])
  t.match(
    made.find(({ ok }) => !ok),
    { code: 'slug_taken' }
  )
  t.same(await actions(context), ['template.create'])
})

test('input of the wrong form is refused by name', async (t) => {
  const { context } = await testContext(t)
  await t.rejects(createTemplate(context, { ...news, slug: 'Not a slug' }, acting), /slug/)
  await createTemplate(context, news, acting)
  const wrong = [
    { subject: 5 },
    { kind: 'other' },
    { fromName: 'a\r\nBcc: b' },
    { fromEmail: 'a b@c.test' },
    { mjml: null },
    { own: 1 },
    { editorJson: 'x' }
  ]
  for (const change of wrong) {
    await t.rejects(changeDraft(context, 'news', change as object, acting), {
      code: 'MLR_INPUT_INVALID'
    })
  }
})

test('a draft change writes what is present; the first one starts from what is published', async (t) => {
  const { context } = await testContext(t)
  await createTemplate(context, news, acting)
  await changeDraft(context, 'news', { subject: 'One', preheader: 'First', html: '<p>one' }, acting)
  await publishTemplate(context, 'news', acting)
  await changeDraft(context, 'news', { subject: 'Two' }, acting)
  await changeDraft(context, 'news', { mjml: '<mjml></mjml>', notes: 'later' }, acting)
  const row = await getTemplate(context, 'news')
  t.match(row, { subject: 'One', version: 1, body: { html: '<p>one', mjml: '' } })
  t.match(row?.draft, {
    subject: 'Two',
    preheader: 'First',
    notes: 'later',
    body: { html: '<p>one', mjml: '<mjml></mjml>' }
  })
  const drafts = context.collections.auditLog.find({ action: 'template.draft.update' })
  const [entry] = await drafts.sort({ at: 1 }).toArray()
  t.match(entry, {
    actor: acting.actor,
    resource: { slug: 'news' },
    diffSummary: 'subject, preheader, html'
  })
})

test('null clears optional fields, and an empty text or null clears a source', async (t) => {
  const categories = [{ id: 'product', label: 'Product' }]
  const { context } = await testContext(t, { config: { categories } })
  await createTemplate(context, { ...news, description: 'x' }, acting)
  const set = { category: 'product', replyTo: 'a@b.test', mjml: 'x', editorJson: { html: 'x' } }
  await changeDraft(context, 'news', set, acting)
  await publishTemplate(context, 'news', acting)
  const clear = { category: null, description: null, replyTo: null, mjml: '', editorJson: null }
  await changeDraft(context, 'news', clear, acting)
  t.equal((await getTemplate(context, 'news'))?.category, 'product')
  const published = await publishTemplate(context, 'news', acting)
  t.match(published, { ok: true, version: 2 })
  const row = await getTemplate(context, 'news')
  t.notOk(row !== null && ('category' in row || 'description' in row))
  t.match(row, { replyTo: null, body: { mjml: '', editorJson: null } })
})

test('changes at the same moment are all made', async (t) => {
  const { context } = await testContext(t)
  await createTemplate(context, news, acting)
  const changes = [{ subject: 's' }, { preheader: 'p' }, { html: 'h' }, { plainText: 't' }]
  const made = await Promise.all(
    changes.map((change) => changeDraft(context, 'news', change, acting))
  )
  t.ok(made.every(({ ok }) => ok))
  const row = await getTemplate(context, 'news')
  t.match(row?.draft, { subject: 's', preheader: 'p', body: { html: 'h', plainText: 't' } })
})

test('sender and kind must fit the sender domains as a pair, other fields the configuration', async (t) => {
  const senderDomains = {
    'acme.test': { kind: 'both' },
    'news.acme.test': { kind: 'marketing' }
  } as const
  const { context } = await testContext(t, { config: { senderDomains } })
  await createTemplate(context, news, acting)
  const change = (fields: object) => changeDraft(context, 'news', fields, acting)
  t.match(await change({ fromEmail: 'a@NEWS.acme.test' }), { ok: true })
  const domain = { ok: false, code: 'sender_domain_invalid' }
  t.match(await change({ kind: 'transactional' }), { ...domain, reason: 'kind_mismatch' })
  t.match(await change({ fromEmail: 'a@else.test' }), { ...domain, reason: 'domain_unknown' })
  t.match(await change({ fromEmail: 'acme.test' }), { ...domain, reason: 'address_invalid' })
  t.match(await change({ replyTo: 'nothing' }), { code: 'reply_to_invalid' })
  t.match(await change({ category: 'product' }), { code: 'category_unknown' })
  t.match(await change({ providerOverride: 'toString' }), { code: 'provider_unknown' })
  t.match(await change({ kind: 'transactional', fromEmail: 'a@acme.test' }), { ok: true })
  t.match(await changeDraft(context, 'none', { subject: 'x' }, acting), { code: 'not_found' })
})

test('lists are newest-updated first, without bodies', async (t) => {
  const { context, pass } = await testContext(t)
  for (const slug of ['one', 'two', 'three']) {
    await createTemplate(context, { ...news, slug }, acting)
    pass(1_000)
  }
  await changeDraft(context, 'two', { html: '<p>' }, acting)
  const list = await listTemplates(context)
  t.same(
    list.map(({ slug }) => slug),
    ['two', 'three', 'one']
  )
  t.same(
    list.map(({ hasDraft }) => hasDraft),
    [true, false, false]
  )
  t.notOk(list.some((row) => 'body' in row || 'draft' in row))
  t.equal((await listTemplates(context, { limit: 1 })).length, 1)
})

test('lists and versions are read by an index', async (t) => {
  const { context } = await testContext(t)
  const { templates, templateVersions } = context.collections
  const plans = await Promise.all([
    templates.find({}).sort({ updatedAt: -1 }).limit(5).explain('queryPlanner'),
    templates.find({ slug: { $in: ['a', 'b'] }, version: { $gt: 0 } }).explain('queryPlanner'),
    templateVersions
      .find({ slug: 'a', version: { $lt: 9 } })
      .sort({ version: -1 })
      .explain('queryPlanner')
  ])
  for (const plan of plans) {
    const text = JSON.stringify(plan)
    t.match(text, /"IXSCAN"/)
    t.notMatch(text, /"COLLSCAN"|"SORT"/)
  }
})

test('a copy has the edited content as its draft, and nothing published', async (t) => {
  const { context } = await testContext(t)
  await createTemplate(context, news, acting)
  await changeDraft(context, 'news', { subject: 'One', html: '<p>one' }, acting)
  const copied = await duplicateTemplate(context, 'news', { slug: 'copy' }, acting)
  t.equal(copied.ok, true)
  t.match(await getTemplate(context, 'copy'), {
    name: 'News (copy)',
    version: 0,
    draft: { subject: 'One', name: 'News (copy)', body: { html: '<p>one' } }
  })
  t.match(await duplicateTemplate(context, 'news', { slug: 'copy' }, acting), {
    code: 'slug_taken'
  })
  t.match(await duplicateTemplate(context, 'none', { slug: 'other' }, acting), {
    code: 'not_found'
  })
})

test('a template that a run still needs is not deleted, whatever became of its flow', async (t) => {
  const needed = new Map([['news', ['activation']]])
  const source: CampaignSource = {
    kind: 'program',
    permission: 'mailer.publish',
    takeOver: 'Enable it',
    owners: async () => new Map(),
    usesOf: async (slug) => needed.get(slug) ?? []
  }
  const others: CampaignSource = { ...source, kind: 'survey', usesOf: undefined as never }
  const extensions = { campaigns: () => [source, others] }
  const { context } = await testContext(t, { extensions })
  const { flows, flowVersions, flowRuns } = context.collections
  await createTemplate(context, news, acting)
  const steps = [{ type: 'wait' }, { type: 'send', templateSlug: 'news' }, { type: 'wait' }]
  const paused = { _id: 'f', slug: 'welcome', enabled: false, version: 2, steps: [] }
  await flows.insertOne(paused as unknown as FlowRow)
  await flowVersions.insertOne({ _id: 'f:1', flowId: 'f', version: 1, steps } as never)
  const run = { _id: 'r', flowId: 'f', flowVersion: 1, status: 'active', path: '0' }
  await flowRuns.insertOne(run as never)
  t.match(await deleteTemplate(context, 'news', acting), {
    code: 'template_in_use',
    uses: [
      { kind: 'flow', slug: 'welcome' },
      { kind: 'program', slug: 'activation' }
    ]
  })
  needed.clear()
  await flowRuns.updateOne({}, { $set: { path: '2' } })
  t.same(await deleteTemplate(context, 'news', acting), { ok: true }, 'the run is past it')
})

test('a template that a flow or a broadcast sends is not deleted', async (t) => {
  const { context } = await testContext(t)
  await createTemplate(context, news, acting)
  await publishTemplate(context, 'news', acting)
  const arm = { type: 'branch', ifTrueSteps: [{ type: 'send', templateSlug: 'news' }] }
  const flow = { _id: 'f', slug: 'welcome', enabled: true, steps: [arm] } as unknown as FlowRow
  const variants = [{ name: 'b', templateSlug: 'news' }]
  const cast = {
    _id: 'b',
    slug: 'june',
    status: 'paused',
    templateSlug: 'x',
    splitTest: { variants }
  }
  await context.collections.flows.insertOne(flow)
  await context.collections.broadcasts.insertOne(cast as unknown as BroadcastRow)
  const refused = await deleteTemplate(context, 'news', acting)
  const uses = [
    { kind: 'flow', slug: 'welcome' },
    { kind: 'broadcast', slug: 'june' }
  ]
  t.match(refused, { ok: false, code: 'template_in_use', uses })
  await context.collections.flows.updateOne({ _id: 'f' }, { $set: { enabled: false } })
  await context.collections.broadcasts.updateOne({ _id: 'b' }, { $set: { status: 'sent' } })
  t.same(await deleteTemplate(context, 'news', acting), { ok: true })
  t.equal(await getTemplate(context, 'news'), null)
  t.same(await listVersions(context, 'news'), [])
  t.match(await deleteTemplate(context, 'news', acting), { code: 'not_found' })
  t.equal((await actions(context)).at(-1), 'template.delete')
})
