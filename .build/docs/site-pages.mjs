// Which Markdown files of the repository are pages of the documentation, in which order, under which address.
import { posix } from 'node:path'

/** Sections of the navigation. What is listed comes first; the rest of a pattern follows by name. */
const SECTIONS = [
  { title: 'Start', files: ['README.md', 'docs/choosing.md', 'CHANGELOG.md'] },
  {
    title: 'Operate',
    files: ['docs/deploy.md', 'docs/upgrade.md', 'docs/sizing.md'],
    rest: /^docs\/|^SECURITY\.md$/
  },
  {
    title: 'Embed and sign in',
    files: ['docs/embed.md', 'docs/sign-in.md'],
    rest: /^(examples\/embed-|ui-components\/|protect\/)/
  },
  {
    title: 'Write plugins',
    files: ['sdk/README.md', 'sdk/reference/manifest.md', 'sdk/reference/config.md'],
    rest: /^sdk\/|^examples\//
  },
  { title: 'Kernel and engine', files: ['kernel/README.md'], rest: /^(kernel|local-mongo)\// },
  { title: 'Plugins', files: [], rest: /^plugins\// },
  { title: 'Contribute', files: ['CONTRIBUTING.md'] }
]

/** `plugins/mailer/README.md` is at `plugins/mailer/`, `docs/deploy.md` at `docs/deploy/`, README.md at the root. */
export function addressOf(file) {
  const folder = posix.basename(file) === 'README.md' ? posix.dirname(file) : file.slice(0, -3)
  return folder === '.' ? '' : `${folder}/`
}

/** The first heading of level one, as text. */
export function titleOf(file, text) {
  const [, title = file] = /^# (.+)$/m.exec(text) ?? []
  return title.replace(/[`*]/g, '')
}

/** Sections with their files. A file that no section takes is a fault: nobody would find it. */
export function sectionsOf(files) {
  const left = new Set(files)
  const sections = SECTIONS.map(({ title, files: first, rest }) => ({ title, first, rest })).map(
    ({ title, first, rest }) => {
      const listed = first.filter((file) => left.delete(file))
      return { title, listed, rest }
    }
  )
  const filled = sections.map(({ title, listed, rest }) => {
    const more = rest === undefined ? [] : [...left].filter((file) => rest.test(file)).sort()
    for (const file of more) left.delete(file)
    return { title, files: [...listed, ...more] }
  })
  if (left.size > 0)
    throw new Error(`No section of the documentation takes ${[...left].join(', ')}.`)
  return filled
}
