// The public entry of @keelson/programs.
export type { ProgramStats } from './acts/measure-program.ts'
export { type Facts, type FactValue, holds } from './looks/conditions.ts'
export { planLook } from './looks/plan-look.ts'
export { type Scenario, simulateProgram } from './looks/simulate.ts'
export { forgetSubject, type SubjectStore } from './looks/subject-data.ts'
export { createProgramsPlugin, default, type ProgramsCode } from './plugin.ts'
export type { ProgramCollections } from './program-context.ts'
export type { Condition, ProgramAction, ProgramDefinition } from './storage/definition.ts'
export type {
  ProgramDecisionRow,
  ProgramRow,
  ProgramRunRow,
  ProgramVersionRow
} from './storage/program-rows.ts'
export type { ProgramState } from './storage/program-state.ts'
