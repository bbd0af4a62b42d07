// Runs test files one after another in this process: modules load once, and one browser serves all files.
// `.build/test-run.mjs` writes paths to file descriptor 3 and reads in the TAP output where a file ends.
import asyncHooks, { AsyncResource } from 'node:async_hooks'
import { syncBuiltinESMExports } from 'node:module'
import { Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'
import { endOfFile } from './tap-count.mjs'
import { packageOf } from './test-run.mjs'

/**
 * tap follows every promise to find the test that an uncaught error belongs to: a sixth of all time.
 * Here an uncaught error ends the process, and so fails the file.
 */
async function importTapWithoutHooks() {
  const { createHook } = asyncHooks
  const unused = { enable: () => unused, disable: () => unused }
  asyncHooks.createHook = () => unused
  syncBuiltinESMExports()
  const { default: tap } = await import('tap')
  asyncHooks.createHook = createHook
  syncBuiltinESMExports()
  return tap
}

process.on('uncaughtException', (error) => {
  console.error(error)
  process.exit(1)
})
const tap = await importTapWithoutHooks()
/** What the file wants to run after its tests. With its own `teardown`, tap would end between two files. */
const ends = []
tap.teardown = (end) => ends.unshift(end)
/** What closes these waits: browser and hosts serve the next file too, and the demo one of the same package. */
const LASTING = new Set(['closeBrowser', 'closeSharedHosts', 'stopSharedDemo'])
const lastEnds = new Set()
/** It goes on working while no test asks it for anything. */
const isOfPackage = ({ name }) => name === 'stopSharedDemo'

async function endLasting(isOver = () => true) {
  for (const end of [...lastEnds].filter(isOver)) {
    lastEnds.delete(end)
    ending = end.name
    await end()
  }
  ending = undefined
}

/** A process that has not ended by then keeps something open. Playwright gives a browser 180 s to end. */
const END_MS = Number(process.env.KEELSON_TEST_END_MS ?? 240_000)
/** The name of what is under way in `endLasting`. */
let ending

/** Fails a process that goes on after its last file, and says what keeps it. */
function failWhenKept() {
  const kept = () => {
    const during = ending === undefined ? '' : `, during ${ending}`
    const what = process.getActiveResourcesInfo().join(', ') || 'nothing'
    console.error(`The process goes on after its last file${during}. Open: ${what}`)
    console.error(process._getActiveHandles().map(lineOfHandle).join('\n'))
    process.exit(1)
  }
  setTimeout(kept, END_MS).unref()
}

/** Which socket, server or child process it is: names of resources do not tell. */
function lineOfHandle(handle) {
  const { remoteAddress, remotePort, localPort, path, spawnargs } = handle
  const listensAt = typeof handle.address === 'function' ? handle.address() : undefined
  const command = spawnargs?.join(' ')
  const parts = { remoteAddress, remotePort, localPort, path, listensAt, command }
  return `  ${handle.constructor.name} ${JSON.stringify(parts)}`
}

async function endFile() {
  // A file whose tests wait side by side sets this for itself alone.
  tap.jobs = 1
  for (const end of ends.splice(0)) {
    if (LASTING.has(end.name)) lastEnds.add(end)
    else await end()
  }
}

/** What an earlier file keeps in asynchronous contexts does not reach the next. */
const beginning = new AsyncResource('tests')
const orders = new Socket({ fd: 3, readable: true, writable: false })
let current
for await (const file of createInterface({ input: orders })) {
  // A file that leaves nothing to wait for ends the process early, and so fails.
  orders.unref()
  if (packageOf(file) !== current) await endLasting(isOfPackage)
  current = packageOf(file)
  await beginning.runInAsyncScope(async () => {
    await import(pathToFileURL(file).href)
    await tap.test(endOfFile(file), endFile)
  })
  orders.ref()
}
failWhenKept()
await endLasting()
