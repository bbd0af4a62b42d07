// Prints what the APIs of our plugins declare: operations, schemas, and wildcards with their reasons.
// Usage: node .build/operations.mjs
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)))

/** Folders with a plugin.json, and what its module defines. Sources must be built. */
export async function readPlugins() {
  const folders = ['plugins', 'plugins/deliverability', 'examples', 'examples/platform']
    .flatMap((parent) => readdirSync(join(ROOT, parent)).map((name) => join(parent, name)))
    .filter((folder) => existsSync(join(ROOT, folder, 'plugin.json')))
  return Promise.all(folders.map(readPlugin))
}

async function readPlugin(folder) {
  const manifest = JSON.parse(readFileSync(join(ROOT, folder, 'plugin.json'), 'utf8'))
  const module = await import(pathToFileURL(join(ROOT, folder, manifest.main)).href)
  const { definitionOf } = await import(pathToFileURL(join(ROOT, 'sdk/dist/index.js')).href)
  const { operations = [], config } = definitionOf(module.default) ?? {}
  return { folder, manifest, operations, config }
}

/** A schema that says nothing of what it holds. */
const isBare = (schema) =>
  schema === undefined ||
  (schema.type === undefined &&
    schema.anyOf === undefined &&
    schema.allOf === undefined &&
    schema.$ref === undefined) ||
  (schema.type === 'object' &&
    schema.properties === undefined &&
    schema.additionalProperties === undefined &&
    schema.patternProperties === undefined)

const takesBody = ({ method, upload }) =>
  ['POST', 'PUT', 'PATCH'].includes(method) && upload === undefined

/** The figures that CI holds. */
export function figuresOf(plugins) {
  const operations = plugins.flatMap(({ operations }) => operations)
  const routes = plugins.flatMap(({ manifest: { id, routes = [] } }) =>
    routes.map((route) => ({ plugin: id, ...route }))
  )
  return {
    operations: operations.length,
    routes: routes.filter(({ id }) => id === undefined).length,
    withoutAnswer: operations.filter(({ answer }) => isBare(answer)).map(({ id }) => id),
    bareBodies: operations
      .filter((each) => takesBody(each) && each.body !== undefined && isBare(each.body))
      .map(({ id }) => id),
    withoutEffect: operations.filter(({ effect }) => effect === undefined).map(({ id }) => id),
    wildcards: routes.filter(({ path, at }) => (at ?? path).endsWith('/*'))
  }
}

async function print() {
  const plugins = await readPlugins()
  const { operations, routes, withoutAnswer, bareBodies, withoutEffect, wildcards } =
    figuresOf(plugins)
  console.log(`operations: ${operations}; routes of standards, files and streams: ${routes}`)
  console.log(`without an answer schema: ${withoutAnswer.length} ${withoutAnswer.join(' ')}`)
  console.log(`with a body that says nothing: ${bareBodies.length} ${bareBodies.join(' ')}`)
  console.log(`without an effect: ${withoutEffect.length}`)
  for (const { plugin, method, path, at, wildcard } of wildcards)
    console.log(`wildcard of ${plugin}: ${method} ${at ?? path}: ${wildcard}`)
  for (const { manifest, operations: own } of plugins)
    console.log(`${manifest.id}: ${own.length} operations`)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await print()
