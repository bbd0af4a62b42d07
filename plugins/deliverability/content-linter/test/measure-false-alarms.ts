// How often each rule finds something in folders of real mails: one column for each folder, as a table.
// Usage: node dist/test/measure-false-alarms.js FOLDER…
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'
import PostalMime from 'postal-mime'
import { lintTemplate, RULE_IDS } from '../report/lint-template.ts'

interface Column {
  readonly name: string
  readonly mails: number
  /** Mails in which a rule found something. */
  readonly found: ReadonlyMap<string, number>
  /** Mails that could not be published. */
  readonly refused: number
}

/** Mails with an HTML part. Their templates are not known, so that rules about slots are left out. */
async function measure(folder: string): Promise<Column> {
  const found = new Map<string, number>()
  let mails = 0
  let refused = 0
  for (const file of readdirSync(folder).filter((name) => !name.endsWith('.json'))) {
    const mail = await PostalMime.parse(readFileSync(join(folder, file)))
    if (!mail.html) continue
    mails += 1
    const html = mail.html
    const { errors, warnings, infos } = lintTemplate({
      kind: 'transactional',
      subject: mail.subject ?? '',
      preheader: 'not known',
      fromEmail: mail.from?.address ?? 'unknown@example.com',
      bodyFormat: 'multipart',
      html,
      text: mail.text || 'made by the mailer',
      source: { html, mjml: null, editorJson: null }
    })
    if (errors.length > 0) refused += 1
    for (const rule of new Set([...errors, ...warnings, ...infos].map((issue) => issue.rule))) {
      found.set(rule, (found.get(rule) ?? 0) + 1)
    }
  }
  return { name: basename(folder), mails, found, refused }
}

function table(columns: readonly Column[]): string {
  const share = (count: number, { mails }: Column) => `${((count / mails) * 100).toFixed(1)} %`
  const head = ['rule', ...columns.map(({ name, mails }) => `${name} (${mails})`)]
  const rows = RULE_IDS.map((rule) => [
    `\`${rule}\``,
    ...columns.map((column) => share(column.found.get(rule) ?? 0, column))
  ])
  const last = ['any error', ...columns.map((column) => share(column.refused, column))]
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [head, head.map(() => '---'), ...rows, last].map(line).join('\n')
}

const { positionals } = parseArgs({ allowPositionals: true })
if (positionals.length > 0) {
  const columns = await Promise.all(positionals.map(measure))
  process.stdout.write(`${table(columns)}\n`)
}
