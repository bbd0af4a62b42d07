// kill -9 at every database command of the ingest of a large report, which is stored and summed up in batches.
import { test } from 'tap'
import { FEW_RECORDS } from '../reading/read-file.ts'
import { killEverywhere } from './kill-everywhere.ts'

test('a large report survives kill -9 at every command of its ingest', (t) =>
  killEverywhere(t, FEW_RECORDS + 100))
