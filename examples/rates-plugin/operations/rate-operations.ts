// The API of Rates plugin. `keelson build` writes it into plugin.json; /openapi.json shows it.
import { type Call, type Operation, operation } from '@keelson/sdk'
import type { Rates } from '../rates.ts'
import { daysSchema } from '../schemas.ts'

/** What the operations are served with. */
export interface RatesHost {
  readonly rates: Rates
}

const list = operation({
  id: 'rates-plugin.rates.list',
  method: 'GET',
  path: '/api/rates',
  summary: 'The rates of the latest days, newest first',
  access: { auth: 'viewer' },
  effect: 'read',
  answer: daysSchema,
  run: (_input, { host }: Call<RatesHost>) => host.rates.list()
})

/** The operations of the plugin. */
export const rateOperations: readonly Operation<RatesHost>[] = [list]
