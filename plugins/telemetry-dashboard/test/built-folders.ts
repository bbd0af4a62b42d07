// Folders as a build leaves them, small and made for a test.
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { AssetFolders } from '../shell/assets.ts'
import { installedFolders } from '../shell/assets.ts'

/** A plugin with one page and the shared files; gone with the test. */
export async function builtFolders(t: {
  teardown(fn: () => Promise<void>): void
}): Promise<AssetFolders> {
  const root = await mkdtemp(join(tmpdir(), 'keelson-dashboard-'))
  t.teardown(() => rm(root, { recursive: true, force: true }))
  const plugin = join(root, 'plugin')
  const ui = join(root, 'ui')
  const pages = [{ id: 'events', title: 'Events', element: 'telemetry-dashboard-events' }]
  const imports = { lit: 'lit.01234567.js', '@keelson/ui': 'ui.89abcdef.js' }
  const texts = {
    [join(plugin, 'plugin.json')]: JSON.stringify({ pages }),
    [join(plugin, 'shell', 'app.css')]: 'body { margin: 0; }',
    [join(plugin, 'dist', 'browser', 'pages', 'events.js')]: 'export {}',
    [join(ui, 'manifest.json')]: JSON.stringify({ imports, icon: 'icon.00ff00ff.svg' }),
    [join(ui, 'lit.01234567.js')]: 'export {}',
    [join(ui, 'ui.89abcdef.js')]: 'export {}',
    [join(ui, 'icon.00ff00ff.svg')]: '<svg/>'
  }
  for (const [path, text] of Object.entries(texts)) {
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, text)
  }
  const compiled = join(installedFolders().plugin, 'dist', 'shell')
  for (const name of ['app.js', 'places.js']) {
    await cp(join(compiled, name), join(plugin, 'dist', 'shell', name))
  }
  return { plugin, ui }
}
