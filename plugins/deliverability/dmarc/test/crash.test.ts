// kill -9 at every database command of the ingest of a small report.
import { test } from 'tap'
import { killEverywhere } from './kill-everywhere.ts'

test('a small report survives kill -9 at every command of its ingest', (t) => killEverywhere(t, 20))
