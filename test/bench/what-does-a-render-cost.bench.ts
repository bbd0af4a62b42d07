// One mail of a published newsletter: slots filled, links judged and signed, pixel and text part; and how
// that compares with the least that it can take: Handlebars on the same HTML and text, and the signatures.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ROOT } from '../hosts/processes.ts'
import { insideMailer } from './inside-mailer.ts'
import { inTurns, printFigure } from './measure.ts'

const ROUNDS = 9
const MAILS = 2_000

const { createCompiler } = await insideMailer('content/templates/compile-thread.js')
const { compileTemplate } = await insideMailer('content/templates/compile-template.js')
const { createSlotEngine } = await insideMailer('content/templates/slot-engine.js')
const { prepareTemplate } = await insideMailer('content/templates/prepare-template.js')
const { mailAddresses } = await insideMailer('delivery/sends/mail-addresses.js')
const { default: handlebars } = await import(
  pathToFileURL(join(ROOT, 'node_modules', 'handlebars', 'lib', 'index.js')).href
)

const article = (at: number) => `<mj-section><mj-column>
  <mj-image src="https://acme.test/${at}.png" href="https://acme.test/articles/${at}?for={{contact.externalId}}" />
  <mj-text>{{#if vars.isMember}}For members: {{/if}}Article ${at}, {{contact.fields.firstName}}. ${'Words that fill a paragraph. '.repeat(8)}</mj-text>
  <mj-button href="https://acme.test/read/${at}">Read {{vars.label}}</mj-button>
</mj-column></mj-section>`
const mjml = `<mjml><mj-body><mj-section><mj-column>
  <mj-text>Dear {{contact.fields.firstName}} {{contact.fields.lastName}}, it is {{formatDate vars.day}}.</mj-text>
  </mj-column></mj-section>${[1, 2, 3, 4, 5].map(article).join('')}
  <mj-section><mj-column><mj-table>{{#each vars.offers}}<tr><td>{{name}}</td><td>{{formatCurrency price "EUR"}}</td></tr>{{/each}}</mj-table>
  <mj-text>{{senderAddress}} <a href="{{unsubscribeUrl}}">Unsubscribe</a></mj-text></mj-column></mj-section></mj-body></mjml>`

const engine = createSlotEngine()
const source = { subject: 'News for {{contact.fields.firstName}}', preheader: 'Five articles' }
const body = { mjml, html: '', plainText: '', editorJson: null }
const compiler = { engine, compileElsewhere: createCompiler() }
const { compiled, message } = await compileTemplate({ ...source, body }, compiler)
if (compiled === undefined) throw new Error(message)
const version = {
  ...source,
  slug: 'news',
  version: 1,
  kind: 'marketing',
  variablesSchema: {},
  bodyFormat: 'multipart',
  trackOpens: true,
  trackClicks: true,
  replyTo: null,
  fromName: 'Acme',
  fromEmail: 'hello@acme.test',
  bodyHash: compiled.bodyHash,
  compiledHtml: compiled.html,
  compiledText: compiled.text
}
const publicUrl = 'https://mail.acme.test'
const options = { engine, senderAddress: 'Street 1', ownAddresses: `${publicUrl}/m/` }
const template = prepareTemplate(version, options)
const config = {
  publicUrl,
  unsubscribeSecret: 'a secret of some length',
  unsubscribeTokenLifetimeDays: 90
}

const offers = Array.from({ length: 8 }, (_, at) => ({ name: `Offer ${at}`, price: 990 + at }))
const vars = { isMember: true, label: 'on', day: new Date(), offers }
const contactOf = (at: number) => ({
  externalId: `c${at}`,
  email: `c${at}@example.test`,
  tags: [],
  fields: { firstName: `Ann ${at}`, lastName: 'Example' }
})

/** Microseconds per mail. */
async function each(work: (at: number) => void): Promise<number> {
  const startedAt = performance.now()
  for (let at = 0; at < MAILS; at++) work(at)
  return ((performance.now() - startedAt) * 1000) / MAILS
}

let targets: readonly string[] = []
const addressesOf = (at: number) => {
  const send = { _id: at.toString(16).padStart(24, '0'), kind: 'marketing' }
  return mailAddresses({ config, send, template, email: `c${at}@example.test`, now: vars.day })
}
const whole = () =>
  each((at) => {
    const { mail } = template.render({ contact: contactOf(at), vars, addresses: addressesOf(at) })
    targets = mail.links.map(({ url }: { url: string }) => url)
  })

const text = () => ''
const helpers = { formatDate: text, formatCurrency: text }
const html = handlebars.compile(compiled.html)
const plain = handlebars.compile(compiled.text, { noEscape: true })
const alone = () =>
  each((at) => {
    const { linkId, clickUrl } = addressesOf(at)
    for (const target of targets) clickUrl(linkId(target))
    const roots = { contact: contactOf(at), vars }
    html(roots, { helpers })
    plain(roots, { helpers })
  })

await whole()
await alone()
const { first, second } = await inTurns(ROUNDS, whole, alone)
const size = `${(compiled.html.length / 1000).toFixed(0)} kB of HTML, ${targets.length} tracked links`
printFigure('microseconds per mail', first, { atMost: 150 }, size)
printFigure(
  'against Handlebars and the signatures',
  first / second,
  { atMost: 2.5 },
  `${second.toFixed(0)} microseconds, without judging links, limits, dates and amounts`
)
process.exit(0)
