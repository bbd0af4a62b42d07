// The documentation is a site: each Markdown file is a page of it, and no link leads nowhere.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'tap'
import { ROOT } from '../hosts/processes.ts'

const { buildSite } = await import(join(ROOT, '.build', 'docs', 'build-site.mjs'))
const { anchorOf, relative, resolveLink } = await import(
  join(ROOT, '.build', 'docs', 'page-links.mjs')
)
const { addressOf, sectionsOf } = await import(join(ROOT, '.build', 'docs', 'site-pages.mjs'))

const site = {
  pages: new Map([
    ['README.md', ''],
    ['docs/deploy.md', ''],
    ['plugins/mailer/README.md', '']
  ]),
  tracked: new Set(['examples/deploy/compose.yaml', 'docs/picture.png']),
  folders: new Set(['examples', 'examples/deploy', 'plugins', 'plugins/mailer'])
}

test('the site has a page of each file, with navigation, examples as written, and an index to search', async (t) => {
  const out = t.testdir()
  const count = await buildSite(out)
  t.ok(count > 80)
  const page = (path: string) => readFile(join(out, path), 'utf8')
  const deploy = await page('docs/deploy/index.html')
  t.match(deploy, /<a href="\.\.\/upgrade\/">Upgrade and roll back<\/a>/)
  t.match(deploy, /<a href="\.\/" aria-current="page">Deploy<\/a>/)
  t.match(await page('index.html'), /src="files\/examples\/platform\/pictures\/events-light\.png"/)
  t.match(await page('plugins/mailer/index.html'), /\{\{unsubscribeUrl\}\}/)
  t.ok((await page('search/pagefind.js')).length > 0)
})

test('a link leads to the page, the copied file, or nowhere for a folder without a page', async (t) => {
  for (const [href, file, expected] of [
    ['docs/deploy.md', 'README.md', 'docs/deploy/'],
    ['../plugins/mailer/README.md#providers', 'docs/deploy.md', '../../plugins/mailer/#providers'],
    ['../plugins/mailer', 'docs/deploy.md', '../../plugins/mailer/'],
    ['../README.md', 'docs/deploy.md', '../../'],
    [
      '../examples/deploy/compose.yaml',
      'docs/deploy.md',
      '../../files/examples/deploy/compose.yaml'
    ],
    ['../examples/deploy', 'docs/deploy.md', undefined],
    ['https://fastify.dev', 'README.md', 'https://fastify.dev'],
    ['#rights', 'README.md', '#rights']
  ] as const)
    t.equal(resolveLink(href, file, site).href, expected, href)
})

test('a link to nothing, and a file that no section takes, fail the build', async (t) => {
  t.throws(() => resolveLink('gone.md', 'README.md', site), /README.md links to gone.md/)
  t.throws(() => sectionsOf(['README.md', 'lost/notes.md']), /lost\/notes.md/)
})

test('anchors and addresses are those of the repository', async (t) => {
  t.equal(anchorOf('What is guarded, and how'), 'what-is-guarded-and-how')
  t.equal(anchorOf('`host.lease(name)`'), 'hostleasename')
  t.equal(addressOf('README.md'), '')
  t.equal(addressOf('kernel/ERRORS.md'), 'kernel/ERRORS/')
  t.equal(relative('README.md', ''), './')
  t.equal(relative('kernel/ERRORS.md', 'kernel/'), '../')
})
