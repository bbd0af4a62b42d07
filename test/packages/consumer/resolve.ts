// Prints the imports of modules that lead nowhere. Run with --experimental-import-meta-resolve.
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'

const SPECIFIERS = /\bfrom ?["']([\w@./:-]+)["']|\bimport ?\(? ?["']([\w@./:-]+)["']/g

function isResolved(specifier: string, file: string): boolean {
  try {
    const url = import.meta.resolve(specifier, pathToFileURL(file).href)
    return url.startsWith('node:') || existsSync(fileURLToPath(url))
  } catch {
    return false
  }
}

const files = readFileSync(0, 'utf8').split('\n')
const lost = files.flatMap((file) =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => !/^\s*(\/\/|\*|\/\*)/.test(line))
    .flatMap((line) => [...line.matchAll(SPECIFIERS)])
    .map(([, from, dynamic]) => from ?? dynamic ?? '')
    .filter((specifier) => !isResolved(specifier, file))
    .map((specifier) => `${file}: ${specifier}`)
)
process.stdout.write(lost.join('\n'))
