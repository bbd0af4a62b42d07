// Builds the documentation: every Markdown file of the repository as a page, with navigation and search.
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import Eleventy, { IdAttributePlugin } from '@11ty/eleventy'
import * as pagefind from 'pagefind'
import { anchorOf, relative, resolveLink, rewriteLinks } from './page-links.mjs'
import { addressOf, sectionsOf, titleOf } from './site-pages.mjs'

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const look = join(root, 'docs', 'site')

/** Builds the site into `out`; throws when a link leads nowhere. Returns the number of pages. */
export async function buildSite(out) {
  rmSync(out, { recursive: true, force: true })
  const files = trackedFiles()
  const texts = new Map(
    files
      .filter((file) => file.endsWith('.md'))
      .map((file) => [file, readFileSync(join(root, file), 'utf8')])
  )
  const site = { pages: texts, tracked: new Set(files), folders: foldersOf(files) }
  const copies = new Set()
  const resolveFrom = (file) => (href) => {
    const link = resolveLink(href, file, site)
    if (link.copy !== undefined) copies.add(link.copy)
    if (link.hash) checkAnchor(file, link, texts)
    return link
  }
  await writePages(out, texts, resolveFrom)
  for (const file of copies) copyFile(join(root, file), join(out, 'files', file))
  for (const file of ['site.css', 'live.js']) copyFile(join(look, file), join(out, file))
  await writeSearch(out)
  return texts.size
}

const trackedFiles = () =>
  execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8'
  })
    .trim()
    .split('\n')

function foldersOf(files) {
  const folders = new Set()
  for (const file of files)
    for (let at = posix.dirname(file); at !== '.'; at = posix.dirname(at)) folders.add(at)
  return folders
}

function checkAnchor(file, { page, hash }, texts) {
  const headings = texts.get(page).matchAll(/^#{1,6} (.+)$/gm)
  if ([...headings].some(([, heading]) => anchorOf(heading) === hash)) return
  throw new Error(`${file} links to #${hash} of ${page}, which has no such heading.`)
}

async function writePages(out, texts, resolveFrom) {
  const sections = sectionsOf([...texts.keys()])
  const titles = new Map([...texts].map(([file, text]) => [file, titleOf(file, text)]))
  const site = new Eleventy('docs/site/pages', out, {
    quietMode: true,
    config(config) {
      config.setUseGitIgnore(false)
      config.setIncludesDirectory('../look')
      config.addPlugin(IdAttributePlugin, { slugify: anchorOf, checkDuplicates: false })
      config.amendLibrary('md', (markdown) => {
        markdown.set({ html: true, linkify: false })
        rewriteLinks(markdown, ({ file }) => resolveFrom(file))
      })
      for (const [file, text] of texts)
        config.addTemplate(file.replace(/README\.md$/, 'index.md'), text, {
          file,
          title: titles.get(file),
          layout: 'layout.njk',
          permalink: `${addressOf(file)}index.html`,
          // Examples of mails hold {{slots}}, which are not of this site.
          templateEngineOverride: 'md',
          base: relative(file, ''),
          navigation: sections.map((section) => ({
            title: section.title,
            links: section.files.map((each) => ({
              title: titles.get(each),
              href: relative(file, addressOf(each)),
              isHere: each === file
            }))
          }))
        })
    }
  })
  await site.write()
}

function copyFile(from, to) {
  mkdirSync(dirname(to), { recursive: true })
  cpSync(from, to)
}

async function writeSearch(out) {
  const { index } = await pagefind.createIndex()
  await index.addDirectory({ path: out })
  await index.writeFiles({ outputPath: join(out, 'search') })
  await pagefind.close()
}
