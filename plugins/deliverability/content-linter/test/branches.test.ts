// Blocks of templates: markup is judged as it is sent, one branch at a time. And hosts of links as browsers open them.
import fc from 'fast-check'
import { test } from 'tap'
import { branchesOf } from '../document/branches-of.ts'
import { readMarkup } from '../document/read-markup.ts'
import { hostOf } from '../rules/hosts.ts'

const BRANCHES: readonly (readonly [html: string, holds: string, not: string])[] = [
  ['a{{#if x}}b{{else}}c{{/if}}d', 'abd', 'acd'],
  ['a{{#if x}}b{{/if}}d', 'abd', 'ad'],
  ['a{{#unless x}}b{{else}}c{{/unless}}d', 'acd', 'abd'],
  ['{{#if x}}a{{else if y}}b{{else}}c{{/if}}', 'a', 'c'],
  ['{{#if x}}a{{else if y}}b{{/if}}', 'a', ''],
  ['{{#each x}}a{{#if y}}b{{else}}c{{/if}}{{else}}d{{/each}}', 'ab', 'd'],
  ['{{~#if x ~}}a{{~ else ~}}b{{~/if~}}', 'a', 'b'],
  ['{{/if}}a{{else}}b', 'ab', 'ab']
]

test('a block is sent as what it holds, or as its else', (t) => {
  for (const [html, holds, not] of BRANCHES) {
    const [first, second = first] = branchesOf(html)
    t.same(
      [first, second].map((each) => each?.replace(/\{\{.*?\}\}/g, '')),
      [holds, not],
      html
    )
  }
  t.same(branchesOf('<p>{{name}}</p>'), ['<p>{{name}}</p>'])
  t.end()
})

test('tags that are opened in one branch and closed behind it are balanced', (t) => {
  const balanced = [
    '{{#if x}}<a href="1">{{else}}<a href="2">{{/if}}Go</a>',
    '{{#if x}}<b>{{/if}}text{{#if x}}</b>{{/if}}',
    '{{#unless x}}<td>{{else}}<th>{{/unless}}{{#if x}}</th>{{else}}</td>{{/if}}'
  ]
  for (const html of balanced) {
    for (const branch of branchesOf(html))
      t.match(readMarkup(branch), { unclosed: [], unopened: [] }, html)
  }
  const [holds = ''] = branchesOf('{{#if x}}<b>{{else}}<i>{{/if}}Go</i>')
  t.match(readMarkup(holds), { unclosed: ['b'] })
  t.end()
})

test('any text has its branches, and blocks without an end hide nothing before them', async () => {
  const piece = fc.constantFrom(
    '{{#if x}}',
    '{{else}}',
    '{{/if}}',
    '{{else if y}}',
    'a',
    '{{',
    '}}'
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      const html = `start${pieces.join('')}`
      return branchesOf(html).every(
        (each) => each.startsWith('start') && each.length <= html.length
      )
    })
  )
})

const HOSTS: readonly (readonly [href: string, host: string | undefined])[] = [
  ['https://bit.ly/x', 'bit.ly'],
  ['https://bit.ly./x', 'bit.ly'],
  ['https://BIT.LY:443/x', 'bit.ly'],
  ['https:\\\\bit.ly\\x', 'bit.ly'],
  ['https:/bit.ly/x', 'bit.ly'],
  ['//bit.ly', 'bit.ly'],
  ['https://someone@bit.ly', 'bit.ly'],
  ['https://bit\u3002ly/x', 'bit.ly'],
  ['https://bit%2Ely/x', 'bit.ly'],
  ['https://b\u00fccher.example', 'xn--bcher-kva.example'],
  ['https://{{vars.host}}/x', undefined],
  ['mailto:a@bit.ly', undefined],
  ['/path', undefined],
  ['path//x', undefined]
]

test('the host of a link is the one that a browser opens', (t) => {
  for (const [href, host] of HOSTS) t.equal(hostOf(href), host, href)
  t.end()
})
