// Packages in production for a host with kernel, telemetry, dashboard and OAuth on MongoDB.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../hosts/processes.ts'
import { type Lock, productionInstall } from '../packages/production-install.ts'
import { printFigure } from './measure.ts'

const OURS = [
  '@keelson/kernel',
  '@keelson/telemetry',
  '@keelson/telemetry-dashboard',
  '@keelson/oauth'
]

const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as Lock
const count = (names: readonly string[]) => productionInstall(lock, names).length
const withEngine = count([...OURS, 'fastify', 'mongodb', '@keelson/local-mongo'])
const detail = `fastify alone ${count(['fastify'])}, with the built-in engine ${withEngine}`
printFigure('packages', count([...OURS, 'fastify', 'mongodb']), { atMost: 125 }, detail)
