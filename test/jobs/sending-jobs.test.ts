// The jobs with broadcasts and sender domains, each by mouse, by keyboard and by touch alone.
// Runs beside the others: it waits for much of its time.
import { broadcastJobs } from './broadcast-jobs.ts'
import { deliverabilityJobs } from './deliverability-jobs.ts'
import { doJobs } from './do-jobs.ts'

await doJobs([...deliverabilityJobs, ...broadcastJobs])
