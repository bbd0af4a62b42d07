// Every word that list hygiene refuses a call with.
import { defineRefusals } from '@keelson/sdk'
import { errorTable } from '../errors.ts'

const { status, message, remedy: fix } = errorTable.LHG_REPORT_PENDING

/** The refusals of list hygiene. */
export const refusals = defineRefusals({ report_pending: { status, message, fix } })
