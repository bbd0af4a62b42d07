// The README of each plugin names its pages for other sites, with what a tag needs.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Manifest } from '@keelson/sdk'
import { test } from 'tap'
import { ROOT } from '../hosts/processes.ts'

const folders = execFileSync('git', ['ls-files', 'plugins/**/plugin.json'], {
  cwd: ROOT,
  encoding: 'utf8'
})
  .trim()
  .split('\n')
  .map(dirname)
  .filter((folder) => existsSync(join(ROOT, folder, 'README.md')))

/** The rows that the section of a README has: one for each page that may be embedded, in the order of the manifest. */
function rowsOf({ id, mount = '', pages = [] }: Manifest): readonly string[] {
  return pages
    .filter(({ embed = true }) => embed)
    .map(
      (page) =>
        `| ${page.title} | \`${page.element}\` | \`/embed/${id}/${page.id}.js\` | \`${mount}\` |`
    )
}

test('the README of a plugin names each page that can be embedded, its module and its api-base', async (t) => {
  let pages = 0
  for (const folder of folders) {
    const manifest = JSON.parse(readFileSync(join(ROOT, folder, 'plugin.json'), 'utf8')) as Manifest
    const readme = readFileSync(join(ROOT, folder, 'README.md'), 'utf8')
    const rows = readme.split('\n').filter((line) => /^\|.*`\/embed\/.*\.js`/.test(line))
    t.same(rows, rowsOf(manifest), `${folder}/README.md`)
    pages += rows.length
  }
  t.ok(pages > 30)
})
