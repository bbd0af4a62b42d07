// A process that starts or joins the engine of a folder and lives until it is killed.
import { startLocalMongo } from '../index.ts'

const { pid } = await startLocalMongo({ dataDir: process.argv[2] ?? '' })
process.send?.({ pid })
setInterval(() => {}, 1_000)
