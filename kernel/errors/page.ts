// Prints ERRORS.md from the error table: `node kernel/dist/errors/page.js > kernel/ERRORS.md`.
import { fileURLToPath } from 'node:url'
import type { ErrorRow } from '@keelson/sdk'
import { errorSections, retiredCodes } from './errors.ts'

const HEADINGS: Readonly<Record<keyof typeof errorSections, string>> = {
  manifest: 'Manifests and plugins',
  config: 'Config',
  registration: 'From prepare to ready',
  storage: 'Storage',
  schedule: 'Jobs and queues',
  network: 'Calls to the outside',
  shell: 'Shell',
  cli: 'Command line'
}

/** The reference page of every error, as the text of its file. */
export function errorsPage(): string {
  const sections = Object.entries(errorSections).map(([name, rows]) => {
    const heading = HEADINGS[name as keyof typeof errorSections]
    return `## ${heading}\n\n${Object.entries(rows).map(entry).join('\n')}`
  })
  const retired = retiredCodes.length === 0 ? 'None.' : retiredCodes.join(', ')
  return `# Errors of the kernel

Every error has a \`code\`, the \`plugin\` it concerns, a \`remedy\`, and a \`status\` for the wire.
Words in braces are filled in when it is raised. This page is printed from the error table:
\`node kernel/dist/errors/page.js > kernel/ERRORS.md\`.

${sections.join('\n')}
## Retired codes

${retired}
`
}

function entry([code, { message, remedy, status }]: [string, ErrorRow]): string {
  const text = message.trim().replaceAll('\n', ' ')
  return `### ${code}\n\n${text}\n\n- Remedy: ${remedy}\n- Status: ${status}\n`
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.stdout.write(errorsPage())
