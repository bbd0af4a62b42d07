// A process that takes the lock of a folder and lives until it is killed.
import { lockFolder } from './folder-lock.ts'

const lock = await lockFolder(process.argv[2] ?? '')
process.send?.(lock.kind)
setInterval(() => {}, 1_000)
