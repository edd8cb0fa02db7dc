import type { Service } from './service.ts'

/** One thing that is checked of a service. */
export interface Check {
  name: string
  /** Resolves with what was found, in a few words; throws what is wrong. */
  run(service: Service): Promise<string>
}
