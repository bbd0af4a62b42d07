// Prints the mistakes that tests make, with the answers to them, as tables in Markdown.
// Usage: node .build/mistakes.mjs (after npm run build)
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const kernel = (path) => import(join(root, 'kernel/dist', path))

/** A folder of the workspace, so that plugins in it find the SDK. */
const PLACE = join(root, 'node_modules/.cache/keelson/mistakes')

/** One row for each mistake: what it is, and what is answered. */
async function table(heading, mistakes, answer) {
  const lines = [`## ${heading}`, '', '| mistake | answer |', '| --- | --- |']
  await mkdir(PLACE, { recursive: true })
  for (const mistake of mistakes) {
    const folder = await mkdtemp(join(PLACE, 'm-'))
    const { code, message } = (await answer(folder, mistake)) ?? { code: 'none', message: '' }
    const words = message.replaceAll(`${folder}/`, '').replaceAll(folder, '.').replaceAll(root, '')
    const cell = words.replaceAll('|', '\\|').replaceAll('\n', ' ').trim()
    lines.push(`| ${mistake.what} | \`${code}\` ${cell} |`)
  }
  await rm(PLACE, { recursive: true, force: true })
  return lines.join('\n')
}

const { configMistakes } = await kernel('testing/config-mistakes.js')
const { answerToConfig } = await kernel('testing/config-answers.js')
console.log(await table('Config and options', configMistakes, answerToConfig))

const { authorMistakes } = await kernel('cli/testing/author-mistakes.js')
const { answersToAuthor } = await kernel('cli/testing/author-answers.js')
const first = async (folder, mistake) => (await answersToAuthor(folder, mistake))[0]
console.log(`\n${await table('Plugins', authorMistakes, first)}`)
