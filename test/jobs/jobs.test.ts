// The jobs of marketers and administrators, each by mouse, by keyboard and by touch alone.
// Runs beside the others: it waits for much of its time.
import { assistantJobs } from './assistant-jobs.ts'
import { doJobs } from './do-jobs.ts'
import { flowJobs } from './flow-jobs.ts'
import { pageJobs } from './page-jobs.ts'
import { peopleJobs } from './people-jobs.ts'
import { templateJobs } from './template-jobs.ts'

await doJobs([...templateJobs, ...flowJobs, ...peopleJobs, ...assistantJobs, ...pageJobs])
