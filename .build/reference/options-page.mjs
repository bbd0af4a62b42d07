// Prints the reference page of `app.register(keelson, options)` from the types of the kernel.
import { openSources } from './sources.mjs'

const INTRO = `\`\`\`ts
import keelson from '@keelson/kernel'

await app.register(keelson, { config: 'keelson.config.json', plugins: [myPlugin], resolveViewer })
\`\`\`

All options may be left out. A refusal comes out of \`app.ready()\` and \`app.listen()\` as an error with \`code\`,
\`plugin\` and \`remedy\` ([ERRORS.md](../../kernel/ERRORS.md)). After it, \`app.keelson\` (typed:
\`keelsonOf(app)\`) gives the host's own routes the capabilities of plugins. The keys of the config are in
[config.md](config.md). This page is printed by \`npm run reference\`.`

/** The page, from the sources of the kernel in `folder`. */
export function optionsPage(folder) {
  const sources = openSources(folder)
  try {
    const exported = sources.exportsOf('index.ts')
    const find = (name) => exported.find((one) => one.name === name)
    const rows = find('KernelOptions').members().map(row)
    const types = ['ResolveViewer', 'Role', 'Keelson'].map((name) => find(name).source())
    return `# Options of app.register(keelson, options)

${INTRO}

| option | type | meaning |
| --- | --- | --- |
${rows.join('\n')}

## Types

\`\`\`ts
${types.join('\n\n')}
\`\`\`
`
  } finally {
    sources.close()
  }
}

function row({ name, type, doc }) {
  const cell = (text) => text.replaceAll('|', '\\|').replaceAll('\n', ' ')
  return `| \`${name}\` | \`${cell(type)}\` | ${cell(doc)} |`
}
