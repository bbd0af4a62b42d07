// keelson doctor: looks at everything a platform needs and says what is wrong.

import { type Command, table } from '../command.ts'
import { type Examination, examine, type Finding } from '../examination.ts'

export const doctor: Command = {
  name: 'doctor',
  summary:
    'Look at environment, config, database, drift, index use and the plugins of a running host.',
  details: 'Changes nothing. Fails when something must be put right; warnings alone do not fail.',
  options: {
    prefix: {
      type: 'string',
      description: 'The prefix of the running host, as it registers the kernel: /platform.'
    }
  },
  async run(context, { options: { prefix = '' } }) {
    const examination = await examine(context, String(prefix))
    const failed = examination.findings.some((finding) => finding.level === 'fail')
    return { text: textOf(examination), json: { ok: !failed, ...examination }, failed }
  }
}

const MARKS: Readonly<Record<Finding['level'], string>> = { ok: 'ok', warn: 'WARN', fail: 'FAIL' }

function textOf({ findings }: Examination): string {
  const rows = findings.map(({ level, area, message }) => [MARKS[level], area, message])
  const remedies = findings.filter(({ remedy }) => remedy !== undefined)
  return [
    ...table(rows),
    ...(remedies.length === 0 ? [] : ['', ...remedies.map(({ remedy }) => `- ${remedy}`)])
  ].join('\n')
}
