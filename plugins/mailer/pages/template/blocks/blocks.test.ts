// Blocks of MJML: read and written without loss, edited one at a time.
import fc from 'fast-check'
import { test } from 'tap'
import { brandedFields, DEFAULT_BRAND } from '../../../content/brands/brand-slots.ts'
import { compileBody } from '../../../content/templates/compile-body.ts'
import { addBlockAt, fitsInto, newBlocksAt } from './block-kinds.ts'
import {
  allBlocks,
  attributeValue,
  blockAt,
  duplicateBlock,
  insertBlock,
  moveBlock,
  moveBlockTo,
  type PlacedBlock,
  parentOf,
  removeBlock,
  setAttribute,
  setText,
  textOf
} from './edit-blocks.ts'
import { EXAMPLES, exampleMjml } from './examples.ts'
import { readBlocks, writeBlocks } from './read-blocks.ts'

const oneOf = (...all: readonly string[]): fc.Arbitrary<string> => fc.constantFrom(...all)
const space = oneOf('', ' ', '\n', '\n    ', '\r\n\t', '  \n\n  ')
const value = oneOf(
  '',
  '#fff',
  'a "b"',
  '{{default x "y"}}',
  "it's",
  '1px 2px',
  'a&amp;b',
  '<>',
  'é'
)
const attribute = fc
  .tuple(oneOf(' ', '\n  '), oneOf('color', 'css-class', 'x:y', 'padding'), value, fc.boolean())
  .map(([gap, name, text, isSingle]) =>
    isSingle || text.includes('"')
      ? `${gap}${name}='${text.replaceAll("'", '')}'`
      : `${gap}${name} = "${text}"`
  )
const attributes = fc.array(attribute, { maxLength: 3 }).map((list) => list.join(''))
const words = oneOf(
  'Hello {{a.b}},',
  '<b>x</b>',
  '{{#if a}}<i>y</i>{{/if}}',
  '',
  '\n  Two\n  lines\n'
)
const element = (tags: readonly string[], inside: fc.Arbitrary<string>) =>
  fc
    .tuple(oneOf(...tags), attributes, inside, space)
    .map(([tag, list, content, gap]) => `<${tag}${list}>${content}</${tag}${gap.trim()}>`)
const oddity = oneOf(
  '<!-- a <mj-text> b -->',
  '{{#each list}}',
  '{{/each}}',
  '<mj-odd a="1" />',
  'words'
)
const leaf = fc.oneof(
  element(['mj-text', 'mj-button', 'mj-raw', 'mj-table'], words),
  fc
    .tuple(oneOf('mj-image', 'mj-spacer', 'mj-divider'), attributes)
    .map(([a, b]) => `<${a}${b} />`),
  oddity
)
const listOf = (one: fc.Arbitrary<string>) =>
  fc.array(fc.tuple(space, one), { maxLength: 4 }).map((list) => `${list.flat().join('')}\n`)
const column = element(['mj-column'], listOf(leaf))
const section = element(['mj-section', 'mj-unknown'], listOf(fc.oneof(column, oddity)))
/** Whole mails, with attributes, comments, slots and tags that the reader does not know. */
const mail = listOf(fc.oneof(section, oddity)).map(
  (body) => `<mjml>\n<mj-head>{{x}}</mj-head><mj-body>${body}</mj-body></mjml>`
)
/** Pieces that need not fit together. */
const scraps = fc
  .array(
    fc.oneof(
      fc.string(),
      oneOf('<mj-body>', '</mj-body>', '<mj-section a="', '</mj-section>', '<mj-column>', '"', '>'),
      oneOf('<mj-text>', '</mj-text>', '{{', '}}', '<!--', '-->', '<mj-section>', '/>', '<')
    ),
    { maxLength: 20 }
  )
  .map((list) => list.join(''))

/** A mail and one of its blocks. */
const picked = fc.tuple(mail, fc.nat()).map(([source, at]) => {
  const blocks = allBlocks(readBlocks(source))
  return { source, one: blocks[at % Math.max(1, blocks.length)] }
})

/** Runs a property for mails with at least one block. */
const forBlocks = (check: (source: string, one: PlacedBlock) => void) =>
  fc.assert(
    fc.property(picked, ({ source, one }) => {
      if (one !== undefined) check(source, one)
    })
  )

test('what is read is written again, character by character', async (t) => {
  fc.assert(
    fc.property(fc.oneof(mail, scraps, fc.string()), (source) => {
      t.equal(writeBlocks(readBlocks(source)), source)
    })
  )
})

test('blocks are inside their parents, one behind the other', async () => {
  fc.assert(
    fc.property(fc.oneof(mail, scraps), (source) => {
      for (const { block } of allBlocks(readBlocks(source))) {
        let at = block.content?.from ?? block.from
        for (const { from, to } of block.children) {
          if (from < at || to <= from || to > (block.content?.to ?? block.to))
            throw new Error('order')
          at = to
        }
      }
    })
  )
})

/** What is outside of a block is the same in both sources. */
function isOutsideSame(before: string, after: string, { block }: PlacedBlock): boolean {
  const tail = before.slice(block.to)
  return after.startsWith(before.slice(0, block.from)) && after.endsWith(tail)
}

test('an attribute is changed in its block alone, and the others of the block stay', async (t) => {
  forBlocks((source, one) => {
    const { block, path } = one
    if (block.kind === 'code') return
    for (const text of ['#123456', 'a "b" {{x "y"}}', 'R&amp;D & <i>', '']) {
      const after = setAttribute(readBlocks(source), block, { name: 'color', value: text })
      t.ok(isOutsideSame(source, after, one))
      const next = blockAt(readBlocks(after), path)
      if (block.attributes.filter(({ name }) => name === 'color').length < 2)
        t.equal(next && attributeValue(next, 'color'), text)
      const others = (list = block.attributes) =>
        list.filter(({ name }) => name !== 'color').map(({ name, value: raw }) => [name, raw])
      t.same(others(next?.attributes), others())
    }
  })
})

test('a text is written in its block alone', async (t) => {
  forBlocks((source, one) => {
    const document = readBlocks(source)
    const { block, path } = one
    if (!['text', 'button', 'raw'].includes(block.kind)) return
    const text = 'New {{#if a}}<b>words</b>{{/if}} '
    const after = setText(document, block, text)
    t.ok(isOutsideSame(source, after, one))
    const next = readBlocks(after)
    const now = blockAt(next, path)
    t.equal(now && textOf(next, now), text)
    t.equal(setText(document, block, textOf(document, block)), source)
  })
})

test('a closing tag that is typed into a text does not end the block', async (t) => {
  const document = readBlocks(exampleMjml('letter', (key) => key))
  const block = blockAt(document, '1.0.1')
  const after = readBlocks(block === undefined ? '' : setText(document, block, 'a</mj-text>b'))
  t.equal(allBlocks(after).length, allBlocks(document).length)
  t.match(after.source, 'a&lt;/mj-text>b')
})

test('a copy is added behind its block, and nothing else changes', async (t) => {
  forBlocks((source, { path, block }) => {
    const { source: after, path: copied } = duplicateBlock(readBlocks(source), path)
    const added = after.length - source.length
    t.equal(after.slice(0, block.to) + after.slice(block.to + added), source)
    const copy = blockAt(readBlocks(after), copied)
    // Two texts that touch are read as one.
    if (block.tag === '') return
    t.equal(after.slice(copy?.from, copy?.to), source.slice(block.from, block.to))
  })
})

test('a deleted block takes only its line break along', async (t) => {
  forBlocks((source, { path, block }) => {
    const { source: after } = removeBlock(readBlocks(source), path)
    const gone = source.length - after.length - (block.to - block.from)
    t.equal(source.slice(block.from - gone, block.from).trim(), '')
    t.equal(source.slice(0, block.from - gone) + source.slice(block.to), after)
  })
})

test('a move among siblings is taken back by the opposite move', async (t) => {
  forBlocks((source, { path, block }) => {
    if (block.kind === 'code') return
    for (const by of [1, -1] as const) {
      const moved = moveBlock(readBlocks(source), path, by)
      if (moved.source === source) continue
      const next = readBlocks(moved.source)
      // Two texts that touch are read as one; and a column that was opened stays open.
      if (parentOf(moved.path) !== parentOf(path)) continue
      if (allBlocks(next).length !== allBlocks(readBlocks(source)).length) continue
      const back = moveBlock(next, moved.path, by === 1 ? -1 : 1)
      t.same(back, { source, path })
    }
  })
})

const TWO = `<mjml><mj-body>
  <mj-section>
    <mj-column>
      <mj-text>One</mj-text>
    </mj-column>
    <mj-column width="50%" />
  </mj-section>
</mj-body></mjml>`

test('a block moves on into the next column, which is opened for it', async (t) => {
  const { source, path } = moveBlock(readBlocks(TWO), '0.0.0', 1)
  t.equal(path, '0.1.0')
  t.match(source, '<mj-column width="50%">\n      <mj-text>One</mj-text>\n    </mj-column>')
  t.same(moveBlock(readBlocks(TWO), '0.0.0', -1), { source: TWO, path: '0.0.0' })
})

test('a block is inserted with the indentation of its neighbours', async (t) => {
  const text = '<mj-social>\n  <mj-social-element name="x" />\n</mj-social>'
  const behind = insertBlock(readBlocks(TWO), '0.0', { index: 1, text })
  t.match(behind.source, '</mj-text>\n      <mj-social>\n        <mj-social-element')
  const before = insertBlock(readBlocks(TWO), '0.0', { index: 0, text: '<mj-spacer />' })
  t.match(before.source, '<mj-column>\n      <mj-spacer />\n      <mj-text>')
  t.equal(blockAt(readBlocks(before.source), before.path)?.kind, 'spacer')
})

test('a source without a complete body has no blocks', async (t) => {
  for (const source of ['', '<p>HTML</p>', '<mjml><mj-body><mj-section>', '<mj-body />'])
    t.equal(readBlocks(source).body, undefined, source)
})

test('tags that are unclosed or unknown, comments and slots stay code', async (t) => {
  const inside =
    '<mj-section><mj-column></mj-section><!-- c -->{{#if a}}<mj-hero a="1"><p></mj-hero>'
  const kinds = allBlocks(readBlocks(`<mj-body>${inside}</mj-body>`)).map(({ path, block }) => [
    path,
    block.kind
  ])
  t.same(kinds, [
    ['0', 'section'],
    ['0.0', 'code'],
    ['1', 'code'],
    ['2', 'code'],
    ['3', 'code']
  ])
})

test('every example is blocks and parts of the sender, and compiles without a warning', async (t) => {
  for (const kind of ['marketing', 'transactional'] as const)
    for (const id of EXAMPLES[kind]) {
      const mjml = exampleMjml(id, (key) => key)
      const document = readBlocks(mjml)
      const codes = allBlocks(document).filter(({ block }) => block.kind === 'code')
      t.same(
        codes.map(({ block }) => textOf(document, block)),
        ['{{> brandHeader}}', '{{> brandFooter}}'],
        id
      )
      const content = { kind, body: { mjml, html: '', plainText: '', editorJson: null } }
      const { body } = brandedFields(content, DEFAULT_BRAND)
      const { mjml: source, plainText } = body
      const compiled = await compileBody({ format: 'mjml', source, plainText })
      t.match(compiled, { ok: true, warnings: [] })
      t.equal(source.includes('{{unsubscribeUrl}}'), kind === 'marketing', id)
      t.match(source, '{{senderAddress}}')
    }
})

test('a block that is moved to a place keeps its text, and all else stays', async (t) => {
  forBlocks((source, { path, block }) => {
    const document = readBlocks(source)
    // Words beside words become one piece of code.
    if (block.kind === 'code') return
    const places = allBlocks(document)
      .map((one) => one.path)
      .filter((place) => !`${place}.`.startsWith(`${path}.`))
    for (const place of places) {
      const { source: after, path: now } = moveBlockTo(document, path, place)
      const moved = blockAt(readBlocks(after), now)
      t.equal(moved && after.slice(moved.from, moved.to), source.slice(block.from, block.to))
      const without = (text: string) => text.replace(/\s+/g, '').split('').sort().join('')
      t.equal(without(after), without(source))
    }
  })
})

test('a block moves into an empty column, and stays where it is already', async (t) => {
  const source =
    '<mj-body>\n  <mj-column><mj-text>a</mj-text></mj-column>\n  <mj-column />\n</mj-body>'
  const document = readBlocks(source)
  t.match(moveBlockTo(document, '0.0', '1.0'), {
    source:
      '<mj-body>\n  <mj-column></mj-column>\n  <mj-column>\n    <mj-text>a</mj-text>\n  </mj-column>\n</mj-body>',
    path: '1.0'
  })
  for (const place of ['0', '1', '0.0', '0.1'])
    t.equal(moveBlockTo(document, '0', place).source, source)
})

test('blocks go where MJML takes them', async (t) => {
  const source = exampleMjml('newsletter', (key) => key)
  const document = readBlocks(source)
  t.same(newBlocksAt(document, '1'), ['section', 'section2', 'section3'])
  t.same(newBlocksAt(document, '1.1'), ['column'])
  t.ok(newBlocksAt(document, '1.0.1').includes('text'))
  t.notOk(newBlocksAt(document, '1.0.1').includes('column'))
  t.ok(fitsInto('code', 'body'))
  const added = addBlockAt(document, '1.0.1', 'button')
  t.match(added, { path: '1.0.1' })
  t.equal(blockAt(readBlocks(added.source), '1.0.1')?.kind, 'button')
})
