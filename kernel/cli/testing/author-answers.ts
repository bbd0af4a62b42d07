// What keelson check --start answers to a mistake in the folder of a plugin.
import type { Problem } from '../check-plugin.ts'
import type { AuthorMistake } from './author-mistake.ts'
import { keelson, manifestOf, sourceOf, writeFiles } from './platform-folder.ts'

/** Writes the plugin to an empty folder and checks it there; all problems that it finds. */
export async function answersToAuthor(
  folder: string,
  { manifest = {}, source = sourceOf(), files = {}, args = [] }: Omit<AuthorMistake, 'what'>
): Promise<readonly Problem[]> {
  await writeFiles(folder, {
    'package.json': { type: 'module' },
    'plugin.json': typeof manifest === 'string' ? manifest : manifestOf('alpha', manifest),
    'index.js': source,
    ...files
  })
  const { json } = await keelson(folder, ['check', '--start', '--json', ...args])
  return json?.problems ?? []
}
