// A prepared template: what each recipient's mail carries, whatever the contact's fields hold.
import fc from 'fast-check'
import { DomUtils, parseDocument } from 'htmlparser2'
import { test } from 'tap'
import type { MailTexts } from '../../ledger/mail-texts.ts'
import type { MailAddresses, RenderedContent } from '../../ledger/prepared-template.ts'
import type { TemplateVersionRow } from '../../ledger/template-rows.ts'
import { prepareTemplate } from './prepare-template.ts'
import { createSlotEngine } from './slot-engine.ts'

const engine = createSlotEngine()
const own = 'https://mail.example.test/m/'
const plain: MailAddresses = {
  unsubscribeUrl: `${own}unsub/token`,
  preferencesUrl: null,
  viewInBrowserUrl: null
}
const tracked: MailAddresses = {
  ...plain,
  openPixelUrl: `${own}open/1.png`,
  linkId: (target) => `id(${target})`,
  clickUrl: (id) => `https://click.test/?${id}`
}
const contact = { externalId: 'c1', email: 'ann@example.test', tags: [], fields: {} }
const empty = {
  slug: 'a',
  version: 1,
  kind: 'marketing',
  variablesSchema: {},
  subject: '',
  preheader: '',
  fromName: 'Acme',
  fromEmail: 'hello@acme.test',
  replyTo: null,
  bodyFormat: 'multipart',
  trackOpens: true,
  trackClicks: true,
  compiledHtml: '',
  compiledText: '',
  bodyHash: ''
} as const

interface Filling {
  readonly vars?: Record<string, unknown>
  readonly fields?: Record<string, unknown>
  readonly addresses?: MailAddresses
}

function renderOf(version: Partial<TemplateVersionRow>, filling: Filling = {}) {
  const prepared = prepareTemplate({ ...empty, ...version }, { engine, ownAddresses: own })
  const { vars = {}, fields = {}, addresses = tracked } = filling
  return prepared.render({ contact: { ...contact, fields }, vars, addresses })
}

function mailOf(version: Partial<TemplateVersionRow>, filling?: Filling): RenderedContent {
  const result = renderOf(version, filling)
  if (!result.ok) throw new Error(result.message)
  return result.mail
}

const htmlOf = (compiledHtml: string, filling?: Filling) => {
  const { html = '', links } = mailOf({ compiledHtml }, filling)
  return { html, links }
}
const hrefs = (html: string) =>
  DomUtils.getElementsByTagName('a', parseDocument(html)).map(({ attribs }) => attribs['href'])

test('texts of a mail take the place of those of the template, with their slots filled', async (t) => {
  const version = {
    subject: 'News',
    preheader: 'Read it',
    compiledHtml: '<body><p>Hello</p></body>'
  }
  const prepared = prepareTemplate({ ...empty, ...version }, { engine, ownAddresses: own })
  const render = (texts?: MailTexts) => {
    const input = { contact, vars: {}, addresses: tracked, ...(texts && { texts }) }
    const result = prepared.render(input)
    return result.ok ? result.mail : result
  }
  const mail = render({ subject: 'For {{contact.email}}', preheader: 'Today & tomorrow' })
  t.match(mail, { subject: `For ${contact.email}`, preheader: 'Today & tomorrow' })
  t.match('html' in mail ? mail.html : '', /Today &amp; tomorrow/)
  t.match(render({ subject: 'Other' }), { subject: 'Other', preheader: 'Read it' })
  t.match(render(), { subject: 'News' })
  t.match(render({ subject: '{{#if' }), { code: 'template_failed' })
})

test('links are tracked with decoded targets, and equal targets share an id', async (t) => {
  const { html, links } = htmlOf(
    '<a href="https://x.test/one?a=1&amp;b=2">1</a><A HREF=\'https://x.test/two\'>2</A><a href=https://x.test/one?a=1&b=2>3</a>'
  )
  t.same(links, [
    { linkId: 'id(https://x.test/one?a=1&b=2)', url: 'https://x.test/one?a=1&b=2' },
    { linkId: 'id(https://x.test/two)', url: 'https://x.test/two' }
  ])
  t.same(
    hrefs(html),
    links
      .map(({ linkId }) => `https://click.test/?${linkId}`)
      .concat(`https://click.test/?${links[0]?.linkId}`)
  )
})

const untracked: readonly (readonly [string, string])[] = [
  ['an empty target', '<a href="">x</a>'],
  ['a fragment', '<a href="#top">x</a>'],
  ['a target that begins with a brace', '<a href="\\{{later}}">x</a>'],
  ['mailto', '<a href="mailto:a@b.test?subject=x&amp;y">x</a>'],
  ['a relative address', '<a href="/page">x</a>'],
  ['what is not a URL', '<a href="https://[bad">x</a>'],
  ['a link that opts out', '<a data-mailer-notrack="true" href="https://x.test/raw">x</a>'],
  ['a link of another element', '<link href="https://x.test/style.css">'],
  ['a link in a comment', '<!-- <a href="https://x.test/">x</a> -->'],
  ['an address of the mailer', `<a href="${own}confirm-doi/token">x</a>`]
]
for (const [name, source] of untracked) {
  test(`${name} stays as it is`, async (t) => {
    const { html, links } = htmlOf(source, { addresses: { ...tracked, openPixelUrl: '' } })
    t.same(links, [])
    t.ok(html.startsWith(source.replace('\\', '')), html)
  })
}

const outlook: readonly (readonly [string, string, string?])[] = [
  ['a conditional comment', '<!--[if mso]><a href="https://x.test/">x</a><![endif]-->'],
  [
    'one with an expression',
    "<!--[if (gte mso 9)|(IE)]><td><a href='https://x.test/'>x</a><![endif]-->"
  ],
  [
    'a button of VML',
    '<!--[if mso]><v:roundrect xmlns:v="urn:schemas-microsoft-com:vml" href="https://x.test/" arcsize="8%"><center>Go</center></v:roundrect><![endif]-->'
  ],
  [
    'a shape of VML',
    '<v:rect href="https://x.test/" style="width:9px"><v:fill src="a.png" /></v:rect>'
  ],
  [
    'an image map',
    '<img usemap="#m" src="a.png"><map name="m"><area shape="rect" coords="0,0,9,9" href="https://x.test/"></map>'
  ],
  [
    'a part that Outlook skips',
    '<!--[if !mso]><!--><a href="https://x.test/">x</a><!--<![endif]-->'
  ],
  ['a slot in a conditional comment', '<!--[if mso]><a href="{{vars.url}}">x</a><![endif]-->']
]
for (const [name, source] of outlook) {
  test(`a link in ${name} is tracked`, async (t) => {
    const filling = {
      vars: { url: 'https://x.test/' },
      addresses: { ...tracked, openPixelUrl: '' }
    }
    const { html, links } = htmlOf(source, filling)
    t.same(links, [{ linkId: 'id(https://x.test/)', url: 'https://x.test/' }])
    const address = 'https://click.test/?id(https://x.test/)'
    const written = source.replace('{{vars.url}}', 'https://x.test/')
    t.ok(html.startsWith(written.replace('https://x.test/', address)), html)
  })
}

test('a button for Outlook and the one for others are one link', async (t) => {
  const source =
    '<!--[if mso]><v:rect href="https://x.test/"></v:rect><![endif]--><!--[if !mso]><!--><a href="https://x.test/">Go</a><!--<![endif]-->'
  t.equal(htmlOf(source).links.length, 1)
})

test('an address in a conditional comment never runs code, and may opt out of tracking', async (t) => {
  const source =
    '<!--[if mso]><a href="javascript:x()">x</a><v:rect data-mailer-notrack href="https://x.test/"></v:rect><![endif]-->'
  const { html, links } = htmlOf(source)
  t.same(links, [])
  t.match(html, /<a href="#">/)
  t.match(html, /href="https:\/\/x\.test\/"/)
})

test('a mail with tracked links has one link for machines, which is not one of its links', async (t) => {
  const addresses = { ...tracked, honeypotUrl: `${own}more/1/sig` }
  const source = '<body><a href="https://x.test/">x</a></body>'
  const { html, links } = htmlOf(source, { addresses })
  t.same(
    links.map(({ url }) => url),
    ['https://x.test/']
  )
  t.match(
    html,
    /<a href="[^"]+more\/1\/sig" style="display:none[^"]*" tabindex="-1" aria-hidden="true"><\/a><img /
  )
  t.notMatch(htmlOf('<body>no link</body>', { addresses }).html, /more/)
})

test('the unsubscribe link and others of the mail are not tracked, wherever they come from', async (t) => {
  const addresses = { ...tracked, unsubscribeUrl: 'https://else.test/u?a=1&b=2' }
  const source = '<a href="{{unsubscribeUrl}}">u</a><a href="{{vars.doi}}">d</a>'
  const { html, links } = htmlOf(source, { addresses, vars: { doi: `${own}confirm-doi/x` } })
  t.same(links, [])
  t.same(hrefs(html), ['https://else.test/u?a=1&b=2', `${own}confirm-doi/x`])
})

test('a link with slots is tracked as it came out, loops and conditions included', async (t) => {
  const source =
    '{{#each vars.items}}<a href="https://x.test/{{#if (eq id "a")}}first{{else}}{{id}}{{/if}}?n={{urlEncode name}}">x</a>{{/each}}'
  const items = [
    { id: 'a', name: 'R&D "x"' },
    { id: 'b', name: '=' }
  ]
  const { links } = htmlOf(source, { vars: { items } })
  t.same(
    links.map(({ url }) => url),
    ['https://x.test/first?n=R%26D%20%22x%22', 'https://x.test/b?n=%3D']
  )
})

test('a target that would run code is never written, however it is spelled', async (t) => {
  const attacks = [
    'javascript:alert(1)',
    ' JaVaScRiPt:alert(1)',
    'java\nscript:alert(1)',
    '\u0001javascript:alert(1)',
    'vbscript:x',
    'data:text/html,<script>',
    'ms-msdt:/id'
  ]
  const places = [
    '<a href="{{v}}">',
    "<a href='{{v}}'>",
    '<a href={{v}}>',
    '<a href="{{{v}}}">',
    '<form action="{{v}}">',
    '<area href="{{#if v}}{{v}}{{/if}}">'
  ]
  for (const attack of attacks) {
    for (const place of places) {
      const { html, links } = htmlOf(place.replaceAll('v}', 'vars.v}'), { vars: { v: attack } })
      t.match(html, /(href|action)=["']#["']>/, `${place} ${attack}`)
      t.same(links, [])
    }
    t.notMatch(htmlOf(`<a href="${attack.replace('"', '')}">x</a>`).html, /javascript|vbscript/i)
  }
  t.match(htmlOf('<a href="java&#115;cript:alert(1)">x</a>').html, /href="#"/)
  t.match(
    htmlOf('<a href="shop-app://item/{{vars.v}}">x</a>', { vars: { v: '1' } }).html,
    /shop-app:\/\/item\/1/
  )
})

/** As browsers read it: without a scheme it is relative. */
function leadsSomewhereKnown(href: string): boolean {
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(href)?.[1]?.toLowerCase()
  return scheme === undefined || ['http', 'https', 'mailto', 'tel', 'sms'].includes(scheme)
}

test('whatever a contact field holds, links lead to http, https, mailto, tel, sms or nowhere', async (t) => {
  const scheme = fc.constantFrom(
    'javascript:',
    'data:',
    'JAVASCRIPT&colon;',
    'x:',
    'https://',
    '',
    '\t'
  )
  fc.assert(
    fc.property(scheme, fc.string({ unit: 'binary' }), fc.boolean(), (start, end, isRaw) => {
      const slot = isRaw ? '{{{contact.fields.v}}}' : '{{contact.fields.v}}'
      const source = `<body><a href="${slot}">x</a><a href=${slot} title="{{contact.fields.v}}">y</a></body>`
      const { html, links } = htmlOf(source, { fields: { v: start + end } })
      const found = hrefs(html).map((href) => (href ?? '').replace(/[\0-\x20]/g, ''))
      return (
        found.length === 2 &&
        found.every((href) => leadsSomewhereKnown(href)) &&
        links.every(({ url }) => /^https?:\/\/[\x21-\x7e]*$/i.test(url)) &&
        DomUtils.getElements({}, parseDocument(html), true).length ===
          DomUtils.getElements({}, parseDocument(htmlOf(source).html), true).length
      )
    })
  )
  t.pass()
})

test('stored targets are printable ASCII: they become a header', async (t) => {
  const { links } = htmlOf('<a href="https://x.test/?q={{vars.q}}">x</a>', {
    vars: { q: 'Zoë B\r\nx' }
  })
  t.equal(links[0]?.url, 'https://x.test/?q=Zo%C3%AB%20Bx')
})

test('without click tracking links stay, without open tracking there is no pixel', async (t) => {
  const { html, links } = htmlOf('<body><a href="https://x.test/?a&amp;b">x</a></body>', {
    addresses: plain
  })
  t.equal(html, '<body><a href="https://x.test/?a&amp;b">x</a></body>')
  t.same(links, [])
})

test('the pixel is before the last </body>, or at the end', async (t) => {
  t.match(
    htmlOf('<body><!-- </body> --><p>x</p></BODY></html>').html,
    /<p>x<\/p><img [^>]*open\/1\.png[^>]*><\/BODY>/
  )
  t.match(htmlOf('<p>x</p>').html, /^<p>x<\/p><img [^>]*>$/)
})

test('the preheader is hidden text at the start of the body', async (t) => {
  const fields = { name: '<b>&"\r\n' }
  const at = (compiledHtml: string) =>
    mailOf(
      { compiledHtml, preheader: 'For {{contact.fields.name}} & you' },
      { fields, addresses: plain }
    )
  const hidden = /<div style="display:none[^"]*">For &lt;b&gt;&amp;&quot; {2}&amp; you<\/div>/
  t.equal(at('').preheader, 'For <b>&"  & you')
  for (const [source, start] of [
    ['<!doctype html><html><head></head><body class="{{#if a}}>{{/if}}"><p>', '<body class="">'],
    ['<!doctype html><html><head></head><p>', '</head>'],
    ['<!doctype html><p>', '<!doctype html>'],
    ['<p>', '']
  ] as const) {
    const { html = '' } = at(source)
    const [before = '', after] = html.split(hidden)
    t.ok(before.endsWith(start), html)
    t.equal(after, '<p>', html)
  }
})

test('subject and preheader are one line, whatever a field holds', async (t) => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (value) => {
      const { subject, preheader } = mailOf(
        { subject: 'Hi {{{contact.fields.v}}}\n', preheader: '{{contact.fields.v}}' },
        { fields: { v: `${value}\r\nBcc: x@y.test\u2028` } }
      )
      return (
        subject.startsWith('Hi') && /^[\P{C}\p{Cf}\p{Cs}\p{Co}\p{Cn}]*$/u.test(subject + preheader)
      )
    })
  )
  t.equal(mailOf({ subject: 'Tom & {{vars.v}}' }, { vars: { v: '<b>' } }).subject, 'Tom & <b>')
})

test('the sender name is one line', async (t) => {
  const version = { ...empty, fromName: 'Acme\r\nBcc: x@y.test' }
  const { fromName } = prepareTemplate(version, { engine, ownAddresses: own })
  t.equal(fromName, 'Acme Bcc: x@y.test')
})

test('a text_only template has no HTML and tracks nothing', async (t) => {
  const version = {
    bodyFormat: 'text_only',
    compiledHtml: '<a href="https://x.test">x</a>'
  } as const
  const mail = mailOf({ ...version, compiledText: 'Dear {{contact.email}}\r\nbye' })
  t.same(mail, { subject: '', preheader: '', text: 'Dear ann@example.test\nbye', links: [] })
})

test('slots read contact, vars, event, roots of the host and the addresses', async (t) => {
  const compiledText =
    '{{contact.email}} {{vars.a}} {{event.plan}} {{shop.name}} {{senderAddress}} {{unsubscribeUrl}}'
  const prepared = prepareTemplate(
    { ...empty, compiledText },
    { engine, ownAddresses: own, senderAddress: 'Street 1' }
  )
  const event = { name: 'paid', properties: { plan: 'pro' } }
  const roots = { shop: { name: 'Acme' }, contact: { email: 'never' } }
  const result = prepared.render({ contact, vars: { a: 1 }, event, roots, addresses: plain })
  t.equal(result.ok && result.mail.text, `ann@example.test 1 pro Acme Street 1 ${own}unsub/token`)
})

test('declared variables have defaults, and what is missing is named', async (t) => {
  const variablesSchema = {
    name: { type: 'string', required: true },
    colour: { type: 'string', required: true, defaultValue: 'blue' }
  } as const
  const version = { variablesSchema, compiledText: '{{vars.name}} {{vars.colour}}' }
  t.equal(mailOf(version, { vars: { name: 'Ann', colour: null } }).text, 'Ann blue')
  t.match(renderOf(version), { ok: false, code: 'variable_missing', message: /name/ })
})

test('a template that loops or explodes is too large', async (t) => {
  const list = Array.from({ length: 1_000 }, () => 1)
  const loop =
    '{{#each vars.l}}{{#each @root.vars.l}}{{#each @root.vars.l}}x{{/each}}{{/each}}{{/each}}'
  const wide = `{{#each vars.l}}${'x'.repeat(10_000)}{{/each}}`
  const slots = '{{vars.big}}'.repeat(100)
  for (const compiledHtml of [loop, wide, slots]) {
    const result = renderOf({ compiledHtml }, { vars: { l: list, big: 'x'.repeat(100_000) } })
    t.match(result, { ok: false, code: 'render_too_large' })
  }
})

test('a helper that throws fails the mail, not the caller', async (t) => {
  const throwing = createSlotEngine({
    bad() {
      throw new Error('no such shop')
    }
  })
  const prepared = prepareTemplate(
    { ...empty, compiledText: '{{bad}}' },
    { engine: throwing, ownAddresses: own }
  )
  const result = prepared.render({ contact, vars: {}, addresses: plain })
  t.same(result, { ok: false, code: 'template_failed', message: 'no such shop' })
})

test('at most 500 links of a mail are tracked', async (t) => {
  const items = Array.from({ length: 501 }, (_, at) => at)
  const { html, links } = htmlOf(
    '{{#each vars.items}}<a href="https://x.test/{{this}}">x</a>{{/each}}',
    { vars: { items } }
  )
  t.equal(links.length, 500)
  t.match(html, /href="https:\/\/x\.test\/500"/)
})
