// What can go wrong with jobs and queues: rows of the kernel's error table.
import type { ErrorTable } from '@keelson/sdk'

export const scheduleErrors = {
  KRN_JOB_CRON: {
    message:
      'Plugin {plugin}: the cron expression "{cron}" of the job "{job}" is not valid: {reason}.',
    remedy: 'Write five fields (minute hour day month weekday), UTC.',
    status: 500
  },
  KRN_JOB_UNKNOWN: {
    message: 'Plugin {plugin} has no job "{job}" that runs here.',
    remedy:
      'Use the name of a job in its plugin.json; /health/plugins says whether the plugin is up.',
    status: 500
  },
  KRN_RUN_TIMEOUT: {
    message: 'Plugin {plugin}: the {kind} "{name}" did not end within {seconds} s.',
    remedy: 'Make it faster, do less at a time, or raise its limit in plugin.json.',
    status: 500
  },
  KRN_QUEUE_SHARED: {
    message:
      'Plugin {plugin}: the queues "{queue}" and "{other}" both take items of "{collection}".',
    remedy: 'Give each queue a collection, or tell their items apart with `where`.',
    status: 500
  },
  KRN_QUEUE_ITEM: {
    message: 'Plugin {plugin}: an item for the queue "{queue}" {reason}.',
    remedy: 'Give each item a string _id, and no field that the queue itself keeps.',
    status: 500
  },
  KRN_TICKER_REAL: {
    message: 'runDue was called on a schedule that runs by itself.',
    remedy: 'Create the schedule with a manual ticker, as the test kit does.',
    status: 500
  }
} as const satisfies ErrorTable
